(ns linchpin.checker
  "Jepsen's Checker by the command `linchpin`: is the history linearizable, and if not, which few operations show it?

      (checker {:type \"cas-register\"})          ; beside or instead of checker/linearizable
      (check-history history {:type \"queue\"})   ; the same without Jepsen

  The history is written to a file in EDN and read back by the command, whose answer is JSON (docs/json.md). This file
  is all there is: copy it, or put its folder on the class path."
  (:require [clojure.edn :as edn]
            [clojure.java.io :as io]
            [clojure.set :as set]
            [clojure.string :as str]
            [clojure.walk :as walk])
  (:import (clojure.lang Indexed)
           (java.io File IOException OutputStreamWriter PushbackReader StringReader)
           (java.nio.charset CharacterCodingException CharsetEncoder StandardCharsets)
           (java.nio.file Path)
           (java.util List)
           (java.util.regex Pattern)))

;; ---- the command's answer ----

(declare read-value)

(defn- bad-json
  ([] (bad-json "has a word that JSON has not"))
  ([why] (throw (ex-info (str "the command's answer is no JSON: it " why) {:type ::command-failed}))))

(defn- any-char [^PushbackReader in]
  (let [c (.read in)]
    (if (neg? c)
      (bad-json "is cut off")
      (char c))))

(defn- next-char
  "The next one that is no blank."
  [in]
  (let [c (any-char in)]
    (if (Character/isWhitespace c)
      (recur in)
      c)))

(defn- read-hexadecimal [in]
  (let [digits (apply str (repeatedly 4 #(any-char in)))]
    (if (re-matches #"[0-9a-fA-F]{4}" digits)
      (Integer/parseInt digits 16)
      (bad-json "has an escape that JSON has not"))))

(defn- read-text [in]
  (let [text (StringBuilder.)]
    (loop []
      (let [c (any-char in)]
        (case c
          \" (str text)
          \\ (let [escape (any-char in)]
               (.append text (char (case escape
                                     \n \newline
                                     \t \tab
                                     \r \return
                                     \b \backspace
                                     \f \formfeed
                                     \u (read-hexadecimal in)
                                     escape)))
               (recur))
          (do (.append text (char c))
              (recur)))))))

(defn- read-all
  "What `read-one` gives, separated by commas, up to `close`."
  [^PushbackReader in close read-one]
  (loop [found (transient [])]
    (let [c (next-char in)]
      (cond (= c close) (persistent! found)
            (= c \,) (recur found)
            :else (do (.unread in (int c))
                      (recur (conj! found (read-one))))))))

(defn- read-word [^PushbackReader in]
  (let [word (StringBuilder.)]
    (loop [c (.read in)]
      (if (and (pos? c) (or (Character/isLetterOrDigit c) (str/index-of "+-." (char c))))
        (do (.append word (char c))
            (recur (.read in)))
        (when-not (neg? c) (.unread in c))))
    (let [word (str word)]
      (case word
        "true" true
        "false" false
        "null" nil
        (if (re-matches #"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?" word)
          (edn/read-string word)
          (bad-json))))))

(defn- read-value [^PushbackReader in]
  (let [c (next-char in)]
    (case c
      \{ (into {} (read-all in \} (fn []
                                    (when-not (= \" (next-char in)) (bad-json))
                                    (let [key (keyword (read-text in))]
                                      (when-not (= \: (next-char in)) (bad-json))
                                      [key (read-value in)]))))
      \[ (read-all in \] #(read-value in))
      \" (read-text in)
      (do (.unread in (int c))
          (read-word in)))))

(defn- answer-in
  "What the first line says; nil where there is none."
  [out]
  (when-let [^String line (first (remove str/blank? (str/split-lines out)))]
    (when-not (str/starts-with? line "{")
      (throw (ex-info (str "the command printed something else before its answer: " (pr-str (subs line 0 (min 200 (count line))))
                           "; what a script says goes to standard error")
                      {:type ::command-failed, :printed line})))
    (let [answer (read-value (PushbackReader. (StringReader. line)))]
      (when-not (or (:error answer) (:verdict answer))
        (throw (ex-info (str "the command's answer has no verdict: is it linchpin? " line) {:type ::command-failed, :printed line})))
      answer)))

;; ---- running the command ----

(defn- run
  "What the command printed, and how it ended. An interrupt of the thread ends it."
  [command]
  (let [out (File/createTempFile "linchpin" ".out")
        errors (File/createTempFile "linchpin" ".err")]
    (try
      (let [builder (doto (ProcessBuilder. ^List command)
                      (.redirectInput (io/file "/dev/null"))
                      (.redirectOutput out) ; waiting for an end can be interrupted, and reading from a pipe cannot
                      (.redirectError errors))
            process (try (.start builder)
                         (catch IOException cause
                           (throw (ex-info (str "cannot run " (first command) ": " (ex-message cause)
                                                "; install Linchpin, or say where it is: {:command \"/path/to/linchpin\"}")
                                           {:type ::no-command, :command (first command)} cause))))]
        (try
          (let [code (.waitFor process)]
            {:code code, :out (slurp out :encoding "UTF-8"), :errors (slurp errors :encoding "UTF-8")})
          (finally (.destroy process))))
      (finally (.delete out)
               (.delete errors)))))

(defn- full-name
  "With its namespace, as the command knows it."
  [word]
  (cond-> (str word) (keyword? word) (subs 1)))

(defn- one-word
  "A keyword or a symbol, which are printed as they are: with a blank or a bracket in it, it would be read as several. A
  symbol can also print as what is no symbol: a number, a comment (#_), a character (\\a)."
  [value]
  (if (and (re-matches #"[^\x00-\x20,()\[\]{}\";]+" (full-name value))
           (or (keyword? value) (not (re-find #"\A(?:[#:\\]|[+-]?[0-9]|(?:nil|true|false)\z)" (str value)))))
    value
    (throw (ex-info (str "linchpin cannot read the " (if (keyword? value) "keyword" "symbol") " that prints as " (pr-str (str value))
                         ": a name has no blanks, commas, brackets, quotes or semicolons, and a symbol is no number, nil, true or"
                         " false, and begins with no #, colon or backslash; use a text")
                    {:type ::unreadable, :code :syntax, :value value}))))

(defn- in-edn
  "The value, with the text of what Clojure prints and EDN has not: regular expressions and vars."
  [value]
  (let [in-edn #(cond (or (instance? Pattern %) (var? %)) (pr-str %)
                      (ident? %) (one-word %)
                      :else %)]
    (if (coll? value)
      (walk/prewalk in-edn value)
      (in-edn value))))

(defn- write-history
  "One vector, an operation a line: the command numbers them from 0, and says lines."
  [history keys file]
  ;; What UTF-8 has no bytes for would be written as a question mark, and be equal to others: an encoder refuses it.
  (with-open [out (io/writer (OutputStreamWriter. (io/output-stream file) ^CharsetEncoder (.newEncoder StandardCharsets/UTF_8)))]
    (binding [*out* out, *print-length* nil, *print-level* nil, *print-meta* false, *print-dup* false,
              *print-readably* true, *print-namespace-maps* false, *flush-on-newline* false]
      (print "[\n")
      (doseq [op history]
        (pr (update-vals (select-keys op keys) in-edn))
        (print "\n"))
      (print "]\n"))))

;; ---- options ----

(defn- bad-option [option wanted value]
  (throw (ex-info (str option " of linchpin.checker is " wanted ", and not " (pr-str value))
                  {:type ::bad-option, :option option, :value value})))

(defn- milliseconds [time-limit]
  (let [most 1e9] ; seconds, above which the command takes none
    (when-not (and (number? time-limit) (< 0 time-limit) (<= time-limit most))
      (bad-option :time-limit "a number of seconds above 0 and up to 1e9, such as 60 or 0.5" time-limit))
    (long (Math/ceil (* 1000 (double time-limit))))))

(defn- word [option value]
  (cond (string? value) value
        (ident? value) (full-name value)
        :else (bad-option option "a text or a keyword" value)))

(defn- page [report]
  (if (or (and (string? report) (not (str/blank? report))) (instance? File report) (instance? Path report))
    (str report)
    (bad-option :report "the path of the page to write, or false: none" report)))

(defn- program [command]
  (cond (nil? command) [(or (System/getenv "LINCHPIN") "linchpin")]
        (and (string? command) (not (str/blank? command))) [command]
        (and (sequential? command) (seq command) (every? string? command)) (vec command)
        :else (bad-option :command "the path of `linchpin`, or a vector of words to which arguments are added" command)))

(def ^:private known-options
  #{:type :time-limit :memory-limit :independent? :fail :order-by :report :command :arguments})

(defn- command-line
  "Without the file."
  [{:keys [type time-limit memory-limit independent? fail order-by report command arguments]}]
  (cond-> (conj (program command) "check" "--json" "--format" "jepsen")
    type (conj "--type" (word :type type))
    time-limit (conj "--time-limit" (str (milliseconds time-limit) "ms"))
    memory-limit (conj "--memory-limit" (str memory-limit))
    independent? (conj "--independent")
    fail (conj "--fail" (word :fail fail))
    order-by (conj "--order-by" (word :order-by order-by))
    report (conj "--report" (page report))
    arguments (into (map str arguments))))

;; ---- what it means ----

(defn- operation
  "An operation that the command describes, as the history has it. The time of an event is its position in the history."
  [history {:keys [call response]}]
  (let [invocation (nth history call)
        completion (when response (nth history response))
        value (:value completion)]
    (cond-> {:process (:process invocation)
             :f (:f invocation)
             :type (:type completion :info)
             :value (if (nil? value) (:value invocation) value)
             :index (:index invocation call)}
      completion (assoc :completion (:index completion response)))))

(defn- validity [{:keys [verdict]}]
  (case verdict
    "linearizable" true
    "violation" false
    :unknown))

(defn- of-object [history {:keys [explanation blocked] :as object}]
  (let [described #(mapv (partial operation history) %)
        cannot (first (filter #(= blocked (:number %)) (:core explanation)))]
    (cond-> (assoc (select-keys object [:type :decider :why :operations :pending]) :valid? (validity object))
      (seq (:reason object)) (assoc :reason (keyword (:reason object)))
      (seq (:sentence object)) (assoc :sentence (:sentence object))
      (seq (:core object)) (assoc :core (described (:core explanation)) :core-count (count (:core object)))
      (seq (:context object)) (assoc :context (described (:context explanation)))
      cannot (assoc :cannot-be-placed (operation history cannot)))))

(defn- of-history [history {:keys [objects] :as answer}]
  (let [results (mapv (partial of-object history) objects)
        valid? (validity answer)]
    (cond-> (merge (first (filter #(= valid? (:valid? %)) results))
                   (select-keys answer [:operations :pending :seconds])
                   {:valid? valid?})
      (seq (:reason answer)) (assoc :reason (keyword (:reason answer)))
      (not= [""] (map :object objects)) (assoc :objects (zipmap (map :object objects) results)))))

(defn- unreadable
  "Beyond a limit nothing is known; else the input is wrong, and whoever made it has to know."
  [history {:keys [code message hint line]}]
  (let [event (when (> line 1) (nth history (- line 2) nil))]
    (if (= code "too_large")
      {:valid? :unknown, :reason :memory, :error message}
      (throw (ex-info (str "linchpin cannot decide the history: " message " [" code "]"
                           (when event (str ", at " (pr-str event)))
                           (when (seq hint) (str "; hint: " hint)))
                      {:type ::unreadable, :code (keyword code), :event event, :hint hint})))))

(defn check-history
  "The verdict on a history, a sequence of Jepsen's operations, as a map: :valid? is true, false or :unknown.

  Options: :type, such as \"cas-register\" (without: by the functions); :time-limit, seconds; :memory-limit, such as
  \"4G\"; :independent?, values are [key value]; :fail, \"constraint\": a failed :cas found another value; :order-by, a key
  of operations by which the store orders them; :report, the path of a page to write; :command, the path of `linchpin`,
  or a vector of words (else the variable LINCHPIN, else it is found like any command); :arguments, more of them."
  [history options]
  (when-let [unknown (seq (set/difference (set (keys options)) known-options))]
    (throw (IllegalArgumentException. (str "linchpin.checker has no option " (str/join ", " unknown)
                                           "; there are " (str/join ", " (sort known-options))))))
  (when (string? (:arguments options))
    (throw (IllegalArgumentException. ":arguments of linchpin.checker is a vector of texts, such as [\"--all\"]")))
  (let [history (if (instance? Indexed history) history (vec history)) ; Jepsen's are, and load what they need
        command (command-line options)
        file (File/createTempFile "linchpin" ".edn")]
    (try
      (try
        (write-history history (cond-> [:process :type :f :value]
                                 (:order-by options) (conj (keyword (:order-by options))))
                       file)
        (catch CharacterCodingException cause
          (throw (ex-info "linchpin cannot read half of a surrogate pair, which a text of the history has"
                          {:type ::unreadable, :code :encoding} cause))))
      (let [{:keys [code out errors]} (run (conj command (str file)))
            answer (answer-in out)]
        (cond
          (nil? answer) (throw (ex-info (str "linchpin ended with " code " and without an answer: " (str/trim errors))
                                        {:type ::command-failed, :code code}))
          (:error answer) (unreadable history (:error answer))
          :else (cond-> (of-history history answer)
                  (and (:report options) (not= code 2)) (assoc :report (str (:report options)))
                  (= code 2) (assoc :error (str/trim errors)))))
      (finally (.delete file)))))

;; ---- Jepsen, if it is there ----

(defn- from-jepsen
  "What a name of Jepsen's means; nil where Jepsen is not on the class path."
  [symbol]
  (let [path (str/replace (namespace symbol) "." "/")]
    (when (or (io/resource (str path ".clj")) (io/resource (str path "__init.class")))
      @(requiring-resolve symbol))))

(defn- report-in-store
  "Where the page of a test goes: beside what other checkers write. Nil where the test is not stored."
  [test opts]
  (when (and (:name test) (:start-time test))
    (when-let [path! (from-jepsen 'jepsen.store/path!)]
      (path! test (:subdirectory opts) "linchpin.html"))))

(defrecord Linchpin [options])

(when-let [protocol (from-jepsen 'jepsen.checker/Checker)]
  (extend Linchpin protocol
          {:check (fn [{:keys [options]} test history opts]
                    (check-history history (if (contains? options :report)
                                             options
                                             (assoc options :report (report-in-store test opts)))))}))

(defn checker
  "A jepsen.checker/Checker. Options: those of `check-history`. The page goes into the test's store as linchpin.html, unless
  :report says where else, or is false."
  [options]
  (when-not (from-jepsen 'jepsen.checker/Checker)
    (throw (IllegalStateException. "Jepsen is not on the class path; linchpin.checker/check-history works without")))
  (->Linchpin options))
