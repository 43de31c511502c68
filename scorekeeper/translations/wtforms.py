"""What WTForms says by itself where we let it, so that the catalogues hold it too.

Nothing imports this file; `make words` reads it.
"""

from scorekeeper.rules.sentence import say

say("Invalid value, must be one of: %(values)s.")
