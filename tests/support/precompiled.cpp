// Nothing: the target of which all tests reuse the precompiled headers needs a source.
