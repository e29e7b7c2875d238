"""How good are the findings? Scores a scan against known contradictions, and says which stage lost the ones it missed."""
