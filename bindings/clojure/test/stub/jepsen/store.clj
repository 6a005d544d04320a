(ns jepsen.store
  "Stands for Jepsen in the tests: a test's files are below the folder named in it."
  (:require [clojure.java.io :as io]))

(defn path! [test & parts]
  (let [file (apply io/file (:folder test) (remove nil? (flatten parts)))]
    (io/make-parents file)
    file))
