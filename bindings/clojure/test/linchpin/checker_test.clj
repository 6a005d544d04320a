(ns linchpin.checker-test
  "The checker as Jepsen calls it, over the command in the variable LINCHPIN."
  (:require [clojure.edn :as edn]
            [clojure.java.io :as io]
            [clojure.java.shell :refer [sh]]
            [clojure.string :as str]
            [clojure.test :refer [deftest is run-tests testing use-fixtures]]
            [jepsen.checker :as checker]
            [linchpin.checker :as linchpin]))

(def root (io/file (System/getenv "LINCHPIN_ROOT")))

(defn op [process type f value] {:process process, :type type, :f f, :value value})

(def stale-read
  "With what Jepsen's histories have beside operations, and indices that are not positions."
  (mapv #(assoc %1 :index %2, :time (* 1000 %2))
        [(op :nemesis :info :start nil)
         (op 0 :invoke :write 1)
         (op 0 :ok :write 1)
         (op 1 :invoke :cas [7 8])
         (op 1 :fail :cas [7 8])
         (op 0 :invoke :write 2)
         (op 2 :invoke :write 9)
         (op 0 :ok :write 2)
         (op 2 :info :write 9)
         (op 1 :invoke :read nil)
         (op 1 :ok :read 1)]
        (iterate #(+ 10 %) 100)))

(def folders (atom []))

(defn folder
  "A new one, until the tests have run."
  []
  (let [made (str (java.nio.file.Files/createTempDirectory "linchpin" (make-array java.nio.file.attribute.FileAttribute 0)))]
    (swap! folders conj made)
    made))

(use-fixtures :once (fn [run]
                      (run)
                      (doseq [made @folders, inside (reverse (file-seq (io/file made)))] (io/delete-file inside))))

(defn thrown [body]
  (try (body)
       nil
       (catch clojure.lang.ExceptionInfo error
         (assoc (ex-data error) :message (ex-message error)))))

(deftest is-a-checker-of-jepsens
  (let [checker (linchpin/checker {:type "cas-register"})]
    (is (satisfies? checker/Checker checker))
    (is (true? (:valid? (checker/check checker {} (pop (pop stale-read)) {}))))
    (testing "what is linearizable has no evidence to show"
      (is (= #{:valid? :type :decider :why :operations :pending :seconds}
             (set (keys (checker/check checker {} (list* (pop (pop stale-read))) {}))))))))

(deftest a-violation-has-its-operations-as-the-history-has-them
  (let [result (checker/check (linchpin/checker {:type "cas-register"}) {} stale-read {})]
    (is (false? (:valid? result)))
    (is (= "cas-register-monitor" (:decider result)))
    (is (str/includes? (:sentence result) "1"))
    (is (= [{:process 0, :f :write, :type :ok, :value 1, :index 110, :completion 120}
            {:process 0, :f :write, :type :ok, :value 2, :index 150, :completion 170}
            {:process 1, :f :read, :type :ok, :value 1, :index 190, :completion 200}]
           (:core result)))
    (is (= 3 (:core-count result)))
    (is (= 190 (:index (:cannot-be-placed result))))
    (is (= [4 1] ((juxt :operations :pending) result)) "the failed :cas is no operation, and :info is pending")))

(deftest positions-stand-for-indices-that-are-not-there
  (is (= [1 5 9] (map :index (:core (linchpin/check-history (map #(dissoc % :index) stale-read) {:type :cas-register}))))))

(deftest a-failed-cas-is-an-operation-if-it-is-asked-for
  (is (= 5 (:operations (linchpin/check-history stale-read {:type "cas-register", :fail "constraint"})))))

(deftest independent-keys-are-objects
  (let [history (for [{:keys [process] :as op} stale-read]
                  (if (= :nemesis process) op (update op :value #(vector "x" %))))
        other [(op 5 :invoke :write ["y" 1]) (op 5 :ok :write ["y" 1])]
        result (linchpin/check-history (concat other history) {:type "cas-register", :independent? true, :arguments ["--all"]})]
    (is (false? (:valid? result)))
    (is (= {"x" false, "y" true} (update-vals (:objects result) :valid?)))
    (is (= ["x" 1] (:value (peek (:core result)))))))

(deftest what-jepsen-reads-it-reads
  (let [text (slurp (io/file root "examples/cas-register.edn"))
        history (edn/read-string (str "[" text "]"))
        history (if (map? (first history)) history (first history))]
    (is (true? (:valid? (linchpin/check-history history {}))))))

(defrecord Point [x])
(defrecord Place [x])

(deftest values-of-all-kinds
  (doseq [value [nil true -3 9223372036854775807 "a \"quoted\"\n\\text ä" :keyword 'symbol [1 [2 nil]] {:a 1} #{1 2} 1.5 2/3
                 (->Point 1) #inst "2020-01-01" #"a \"b\" \d" {:pattern [#"a" 1]} #'op [#'op 1]]]
    (let [history [(op 0 :invoke :write value) (op 0 :ok :write value) (op 1 :invoke :read nil) (op 1 :ok :read value)]
          wrong (conj history (op 1 :invoke :read nil) (op 1 :ok :read "another"))]
      (is (true? (:valid? (linchpin/check-history history {:type "register"}))) (pr-str value))
      (is (false? (:valid? (linchpin/check-history wrong {:type "register"}))) (pr-str value))))
  (testing "expressions, vars, records and dates are told apart by how they print"
    (doseq [[written seen] [[#"a" #"b"] [[#'op 1] [1]] [[#'op 1] [#'stale-read 1]]
                            [(->Point 1) (->Place 1)] [(->Point 1) {:x 1}] [[(->Point 1)] [(->Place 1)]]
                            [#inst "2020-01-01" "2020-01-01T00:00:00.000-00:00"]]]
      (is (false? (:valid? (linchpin/check-history [(op 0 :invoke :write written) (op 0 :ok :write written)
                                                    (op 1 :invoke :read nil) (op 1 :ok :read seen)]
                                                   {:type "register"}))))))
  (testing "printing is not cut short, whatever the REPL is told"
    (binding [*print-length* 2, *print-level* 1, *print-meta* true]
      (is (= 3 (:core-count (linchpin/check-history (map #(with-meta % {:from "here"}) stale-read) {:type "cas-register"}))))))
  (is (true? (:valid? (linchpin/check-history [] {:type "register"})))))

(deftest a-store-has-an-order
  (let [history [(op 0 :invoke :write 1) (assoc (op 0 :ok :write 1) :revision 1 :store/revision 1)
                 (op 1 :invoke :read nil) (assoc (op 1 :ok :read 1) :revision 2 :store/revision 2)]]
    (doseq [order-by [:revision "revision" :store/revision "store/revision"]]
      (is (= [true "supplied-order"] ((juxt :valid? :decider) (linchpin/check-history history {:type "cas-register", :order-by order-by})))
          (pr-str order-by)))))

(deftest limits-are-unknown
  (let [file (str (folder) "/hard.edn")
        {:keys [exit err]} (sh (System/getenv "LINCHPIN") "generate" "multi-register" "--values" "2" "-n" "3000" "-p" "40"
                               "--seed" "3" "--format" "jepsen" "-o" file)
        _ (is (zero? exit) err)
        hard (edn/read-string (str "[" (slurp file) "]"))
        hard (if (map? (first hard)) hard (first hard))]
    (is (= [:unknown :time] ((juxt :valid? :reason) (linchpin/check-history hard {:type "multi-register", :time-limit 0.2
                                                                                  :arguments ["--decider" "search"]}))))
    (is (= [:unknown :memory] ((juxt :valid? :reason) (linchpin/check-history hard {:type "multi-register"
                                                                                    :memory-limit "1M"}))))))

(deftest an-interrupt-ends-the-command
  (let [pid (io/file (folder) "pid")
        endless ["sh" "-c" (str "echo $$ > " pid ".new; mv " pid ".new " pid "; exec sleep 60")]
        ended (promise)
        thread (doto (Thread. #(deliver ended (try (linchpin/check-history stale-read {:command endless})
                                                   (catch InterruptedException _ :interrupted))))
                 (.start))]
    (while (not (.exists pid)) (Thread/sleep 10))
    (let [process (.get (java.lang.ProcessHandle/of (parse-long (str/trim (slurp pid)))))]
      (.interrupt thread)
      (is (= :interrupted (deref ended 20000 :goes-on)))
      (.get (.onExit process) 20 java.util.concurrent.TimeUnit/SECONDS)
      (is (not (.isAlive process))))))

(deftest what-is-wrong-is-an-exception
  (let [{:keys [type code event message]}
        (thrown #(linchpin/check-history (assoc stale-read 2 (op 0 :invoke :write 3)) {:type "cas-register"}))]
    (is (= [::linchpin/unreadable :overlapping_operations] [type code]))
    (is (= (op 0 :invoke :write 3) event))
    (is (str/includes? message "process 0")))
  (is (= :unknown_type (:code (thrown #(linchpin/check-history stale-read {:type "cue"})))))
  (let [{:keys [type message]} (thrown #(linchpin/check-history stale-read {:command "/no/such/linchpin"}))]
    (is (= ::linchpin/no-command type))
    (is (str/includes? message ":command")))
  (is (= :encoding (:code (thrown #(linchpin/check-history (assoc-in stale-read [0 :value] "\uD83D") {:type "register"})))))
  (is (thrown-with-msg? IllegalArgumentException #":arguments" (linchpin/check-history stale-read {:arguments "--all"})))
  (is (= ::linchpin/command-failed (:type (thrown #(linchpin/check-history stale-read {:command ["sh" "-c" "exit 9"]})))))
  (is (= ::linchpin/command-failed (:type (thrown #(linchpin/check-history stale-read {:command ["echo" "{\"file\":"]})))))
  (doseq [[printed message] [["Welcome to this machine\n{\"verdict\":\"linearizable\",\"objects\":[]}" "printed something else before its answer: \"Welcome"]
                             ["{\"verdict\":\"lineari" "cut off"]
                             ["{\"verdict\":\"a\\" "cut off"]
                             ["{\"verdict\":\"a\\u00" "cut off"]
                             ["{\"verdict\":\"a\\u00zz\"}" "escape"]
                             ["{\"operations\":1" "cut off"]
                             ["{\"operations\":1e" "JSON has not"]
                             ["{\"whole\":tru" "JSON has not"]
                             ["{verdict:1}" "JSON has not"]
                             ["{\"status\":\"ok\"}" "no verdict"]]]
    (let [thrown (thrown #(linchpin/check-history stale-read {:command ["sh" "-c" "printf %s \"$0\"" printed]}))]
      (is (= ::linchpin/command-failed (:type thrown)) printed)
      (is (str/includes? (str (:message thrown)) message) printed)))
  (doseq [[option values wanted] [[:time-limit ["60" :soon -1 0 0.0 1e12 1000000001 ##NaN ##Inf] "a number of seconds"]
                                  [:type [3 ["queue"]] "a text or a keyword"]
                                  [:order-by [3 true] "a text or a keyword"]
                                  [:fail [3] "a text or a keyword"]
                                  [:command [[] "" 3 [:linchpin]] "the path of `linchpin`"]
                                  [:report [true "" 3] "the path of the page"]]
          value values]
    (let [thrown (thrown #(linchpin/check-history stale-read {option value}))]
      (is (= [::linchpin/bad-option option value] ((juxt :type :option :value) thrown)) (pr-str option value))
      (is (str/includes? (str (:message thrown)) wanted) (pr-str option value))))
  (is (false? (:valid? (linchpin/check-history stale-read {:type 'cas-register, :time-limit 1e9, :command (list (System/getenv "LINCHPIN"))}))))
  (doseq [word [(keyword "a b") (keyword "a,b") (keyword "") (symbol "a b") [(keyword "x" "a}")] {(keyword "a(") 1}
                [(symbol "#_x") 1] [(symbol "#_") 1 2] [(symbol "#x") 1] (symbol "#") (symbol "##NaN") (symbol "#\u2028x") (symbol "1") (symbol "-1")
                (symbol "+2x") (symbol "nil") (symbol "true") (symbol "false") (symbol "\\a") [(symbol "\\") 1] (symbol ":a")
                #{(symbol "#_")} {:a (symbol "1")}]]
    (let [{:keys [type message]} (thrown #(linchpin/check-history [(op 0 :invoke :write word) (op 0 :ok :write word)] {:type "register"}))]
      (is (= ::linchpin/unreadable type) (pr-str word))
      (is (str/includes? (str message) "that prints as"))))
  (doseq [word ['a# '- '+x '-x 'x/nil '/ '.1 'nil? 'true1 (keyword "#_") (keyword "1") (keyword "nil") (keyword ":a") (keyword "\\")]]
    (is (true? (:valid? (linchpin/check-history [(op 0 :invoke :write [word 1]) (op 0 :ok :write [word 1])
                                                 (op 0 :invoke :read nil) (op 0 :ok :read [word 1])]
                                                {:type "register"})))
        (pr-str word)))
  (is (= ::linchpin/unreadable (:type (thrown #(linchpin/check-history [(op 0 :invoke (keyword "my write") 1)] {:type "register"})))))
  (is (thrown-with-msg? IllegalArgumentException #":time-limt" (linchpin/check-history stale-read {:time-limt 1}))))

(deftest the-report-goes-into-the-store
  (let [folder (folder)
        test {:name "register", :start-time "20261123T090000.000Z", :folder folder}
        result (checker/check (linchpin/checker {}) test stale-read {:subdirectory ["independent" "x"]})
        page (io/file folder "independent" "x" "linchpin.html")]
    (is (= (str page) (:report result)))
    (is (str/includes? (slurp page) "<html"))
    (testing "or where it is asked for, or nowhere"
      (let [other (str folder "/other.html")]
        (is (= other (:report (checker/check (linchpin/checker {:report other}) test stale-read {}))))
        (is (.exists (io/file other)))
        (is (nil? (:report (checker/check (linchpin/checker {:report false}) test stale-read {}))))
        (is (nil? (:report (checker/check (linchpin/checker {}) {:name "not stored"} stale-read {}))))))
    (testing "a folder that is not there is said before anything is decided"
      (is (str/includes? (:message (thrown #(linchpin/check-history stale-read {:report (str folder "/none/x.html")})))
                         "cannot write")))
    (testing "a page that cannot be written at the end costs no verdict"
      (let [full ["sh" "-c" "\"$LINCHPIN\" \"$@\"; echo the disk is full >&2; exit 2" "linchpin"]
            result (linchpin/check-history stale-read {:command full, :report (str folder "/x.html")})]
        (is (= [false "the disk is full" nil] ((juxt :valid? :error :report) result)))))))

(deftest the-page-tells-the-truth
  (let [page (slurp (io/file root "docs/bindings/clojure.md"))
        blocks (map second (re-seq #"(?s)```clojure\n(.*?)```" page))
        printed (with-out-str (load-string (str/join "\n" (cons "(ns linchpin.page)" blocks))))]
    (is (<= 2 (count blocks)))
    (is (str/includes? page (str "; " (str/trim printed))))))

(let [{:keys [fail error test]} (run-tests)]
  (shutdown-agents)
  (System/exit (if (and (pos? test) (zero? (+ fail error))) 0 1)))
