(ns linchpin.without-jepsen
  "The namespace compiles and decides without Jepsen on the class path, and says so where it cannot be done."
  (:require [clojure.test :refer [deftest is run-tests]]
            [linchpin.checker :as linchpin]))

(deftest decides-without-jepsen
  (is (= {:valid? false, :type "cas-register", :sentence "read() -> 2: nobody had written 2, and it is not the initial value"}
         (select-keys (linchpin/check-history [{:process 0, :type :invoke, :f :read} {:process 0, :type :ok, :f :read, :value 2}]
                                              {})
                      [:valid? :type :sentence])))
  (is (thrown-with-msg? IllegalStateException #"check-history works without" (linchpin/checker {}))))

(let [{:keys [fail error]} (run-tests)]
  (shutdown-agents)
  (System/exit (+ fail error)))
