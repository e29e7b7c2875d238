"""Why two facts that look alike are no contradiction. Words of `Verdict.reason` and `Rejection.reason`."""

EQUAL = "equal"  # the same value, after conversion, rounding or in other words
CONTAINED = "contained"  # the value lies in the other's range or satisfies its bound
UNRELATED = "unrelated"  # different attributes or things
SCOPE = "scope"  # another product, plan, platform, region, audience, period, condition
HISTORY = "history"  # one side is history: changelog, minutes, archive, "previously"
EXAMPLE = "example"  # example, hypothesis, quotation, override of a default
EXCEPTION = "exception"  # a rule and its exception, or a permission narrower than the prohibition
PLAN = "plan"  # forecast or target against actual
SIBLING = "sibling"  # rows of one table, items of one list
ALIGNED = "aligned"  # the value has its equal elsewhere in the other statement
COMPATIBLE = "compatible"  # both can hold
SCORE = "score"  # compared, different, but not convincingly about the same thing
