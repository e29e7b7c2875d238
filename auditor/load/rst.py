"""HTML."""
class RstLoader:
    id="rst"
    def accepts(self,name,head): return False
