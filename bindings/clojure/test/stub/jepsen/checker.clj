(ns jepsen.checker
  "Stands for Jepsen in the tests: its protocol, and nothing else.")

(defprotocol Checker
  (check [checker test history opts]))
