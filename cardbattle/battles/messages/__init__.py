"""Read players' answers from pasted text, and try standing orders before they are sent.

Standing orders answer the questions of a side in advance.
"""
