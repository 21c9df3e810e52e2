"""The conformance suite: ambiguities of the rules (issues) and test cases, as data.

Any implementation of the rules can run the suite, in any programming language.
"""
