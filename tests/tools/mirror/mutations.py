"""Mutations of a project with a mirror, a lock, bundles, a patch, attributes and an entry: a table of shell commands.

Written before the gates were run over it. Each row names the codes of which at least one has to be found.
"""

# ruff: noqa: E501 - one mutation, one line

from __future__ import annotations

from typing import NamedTuple


class Mutation(NamedTuple):
    """One mutation: its name, a shell command in the project's folder, the codes; `!` stands for a refusal to check.

    A finding's message or hint has the words.
    """

    name: str
    command: str
    codes: str
    words: str = ""


M = "mirror/gateway"
S = f"{M}/src/pkg"
LOCK = "mirror/upstream.lock"
B = "mirror/upstream"
COMMIT = "git add -A && git commit -qm mutated"
RECORD = f"(cd {B} && sha256sum *.bundle > SHA256SUMS)"
# The upstream as the bundles have it; a tag of it made anew, and its newer release published again.
UPSTREAM = f"git init -q ../u && for b in $PWD/{B}/*.bundle; do git -C ../u fetch -q $b 'refs/tags/*:refs/tags/*'; done && b=$PWD/{B} && cd ../u"
TAG = "git tag -f -a -m again"
OTHER = "git commit-tree -m other -p v1.0.0^{} v1.0.0^{tree}"
PUBLISH = "git bundle create -q $b/v1.1.0.bundle refs/tags/v1.1.0 ^v1.0.0 && cd $b && sha256sum *.bundle > SHA256SUMS"


def lock(expression: str) -> str:
    return f"sed -i -E '{expression}' {LOCK} && {COMMIT}"


def entry(expression: str) -> str:
    return f"sed -i -E '{expression}' ours/_generated.py"


MUTATIONS = (
    # The mirrored folder.
    Mutation("a byte at the end", f"printf x >> {S}/naming.py", "MIR001"),
    Mutation("a byte at the end, committed", f"printf x >> {S}/naming.py && {COMMIT}", "MIR001"),
    Mutation("a byte changed, size and time kept", f"touch -r {S}/naming.py t && sed -i s/name/nane/ {S}/naming.py && touch -r t {S}/naming.py && rm t", "MIR001"),
    Mutation("a newline to two bytes", f"sed -i 's/$/\\r/' {S}/naming.py && {COMMIT}", "MIR001"),
    Mutation("the last newline removed", f"truncate -s -1 {S}/naming.py && {COMMIT}", "MIR001"),
    Mutation("emptied", f": > {S}/naming.py && {COMMIT}", "MIR001"),
    Mutation("in the index alone", f"cp {S}/naming.py k && printf x >> {S}/naming.py && git add {M} && mv k {S}/naming.py", "MIR001"),
    Mutation("assumed unchanged", f"git update-index --assume-unchanged {S}/naming.py && printf x >> {S}/naming.py", "MIR001 MIR007"),
    Mutation("skipped in the worktree", f"git update-index --skip-worktree {S}/naming.py && printf x >> {S}/naming.py", "MIR001 MIR007"),
    Mutation("executable", f"chmod +x {S}/naming.py && {COMMIT}", "MIR004"),
    Mutation("executable in the index alone", f"git update-index --chmod=+x {S}/naming.py", "MIR004"),
    Mutation("executable, where git ignores modes", f"git config core.fileMode false && chmod +x {S}/naming.py", "MIR004", "git ignores it, as core.fileMode is false"),
    Mutation("every file executable, where git ignores modes", f"git config core.fileMode false && find {M} -type f -exec chmod +x {{}} +", "MIR015", "index and last commit are compared alone"),
    Mutation("executable in the index alone, where git ignores modes", f"git config core.fileMode false && git update-index --chmod=+x {S}/naming.py", "MIR004", "in the index"),
    Mutation("removed", f"rm {S}/naming.py", "MIR003"),
    Mutation("removed and committed", f"rm {S}/naming.py && {COMMIT}", "MIR003"),
    Mutation("removed from the index alone", f"git rm -q --cached {S}/naming.py", "MIR003 MIR006"),
    Mutation("renamed", f"git mv {S}/naming.py {S}/named.py && {COMMIT}", "MIR003"),
    Mutation("case of a name", f"git mv {S}/naming.py {S}/Naming.py && {COMMIT}", "MIR003"),
    Mutation("added and committed", f"touch {S}/more.py && {COMMIT}", "MIR002"),
    Mutation("added in the index alone", f"touch {S}/more.py && git add -A && rm {S}/more.py", "MIR002"),
    Mutation("added and not known to git", f"touch {S}/more.py", "MIR006"),
    Mutation("added and ignored", f"mkdir -p .git/info && echo more.py > .git/info/exclude && touch {S}/more.py", "MIR006 MIR017"),
    Mutation("added and ignored by the project", f"echo 'src/pkg/more.py' > {M}/.gitignore && touch {S}/more.py", "MIR002 MIR006"),
    Mutation("a file to a link", f"mv {S}/naming.py k && ln -s ../../../../k {S}/naming.py", "MIR005"),
    Mutation("a file to a link, committed", f"mv {S}/naming.py k.py && ln -s ../../../../k.py {S}/naming.py && {COMMIT}", "MIR005"),
    Mutation("a folder to a link", f"mv {S} k && ln -s ../../../k {S}", "MIR003 MIR005"),
    Mutation("the mirror to a link", f"mv {M} k && ln -s ../k {M}", "MIR003 MIR005 !"),
    Mutation("a file to a folder", f"rm {S}/naming.py && mkdir {S}/naming.py && touch {S}/naming.py/x", "MIR005"),
    Mutation("a file to a repository", f"git init -q {M}/sub", "MIR002 MIR006"),
    Mutation("a repository in the index", f"git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),{M}/sub", "MIR002"),
    Mutation("a pipe", f"mkfifo {S}/pipe", "MIR006"),
    Mutation("two files exchanged", f"mv {S}/naming.py k && mv {S}/__main__.py {S}/naming.py && mv k {S}/__main__.py && {COMMIT}", "MIR001"),
    Mutation("the whole folder removed", f"rm -r {M}", "MIR003 !"),
    Mutation("the whole folder from the index", f"git rm -rq --cached {M}", "MIR003"),
    Mutation("a merge left open", f"o=$(git hash-object -w k 2>/dev/null || git hash-object -w mirror/upstream.toml) && git rm -q --cached {S}/naming.py && printf '100644 %s 2\\t{S}/naming.py\\n' $o | git update-index --index-info", "MIR001 MIR003 MIR009 MIR010 !"),
    Mutation("a patch applied twice by hand", f"printf 'ours\\n' >> {M}/README.md && {COMMIT}", "MIR001"),
    Mutation("a patch taken back by hand", f"printf 'upstream\\n' > {M}/README.md && {COMMIT}", "MIR001"),
    # The lock.
    Mutation("another commit", lock('s/^commit = ".{4}/commit = "0000/'), "PIN001 PIN007"),
    Mutation("another base tree", lock('s/^base_tree = ".{4}/base_tree = "0000/'), "PIN001 PIN001"),
    Mutation("another final tree", lock('s/^final_tree = ".{4}/final_tree = "0000/'), "PIN001 MIR001 PIN001 MIR002 MIR003"),
    Mutation("another name of the tag", lock('s/name = "v1.1.0"/name = "v1.0.0"/'), "PIN001 PIN007"),
    Mutation("no tag", lock("/^tag = /d"), "PIN001 PIN002 !"),
    Mutation("another place it was fetched from", lock('s|^fetched_from = .*|fetched_from = "elsewhere"|'), "PIN016"),
    Mutation("another declared place", lock('s|^url = .*|url = "elsewhere"|'), "PIN002"),
    Mutation("an older schema", lock("s/^schema = .*/schema = 2/"), "PIN012 PIN014 !"),
    Mutation("a newer schema", lock("s/^schema = .*/schema = 99/"), "!"),
    Mutation("a key that is unknown", f"sed -i '1i extra = 1' {LOCK} && {COMMIT}", "!"),
    Mutation("not TOML", f"echo '[[[' >> {LOCK}", "!"),
    Mutation("emptied lock", f": > {LOCK}", "!"),
    Mutation("no lock", f"git rm -q {LOCK} && git commit -qm mutated", "MIR012 MIR013 !"),
    Mutation("another digest of a patch", lock('/patches/,$ s/^sha256 = ".{4}/sha256 = "0000/'), "PAT001"),
    Mutation("no patches in the lock", f"sed -i '/^\\[\\[patches/,$d' {LOCK} && {COMMIT}", "PAT001 PAT002 PIN001 PIN002"),
    Mutation("marks of a merge in the lock", f"printf '<<<<<<< ours\\n=======\\n>>>>>>> theirs\\n' >> {LOCK}", "!"),
    # Bundles.
    Mutation("a bundle removed", f"rm {B}/v1.1.0.bundle", "PIN005"),
    Mutation("a bundle and its line removed", f"rm {B}/v1.1.0.bundle && {RECORD}", "PIN009"),
    Mutation("a bundle emptied", f": > {B}/v1.1.0.bundle", "PIN004"),
    Mutation("a bundle cut and recorded", f"truncate -s -30 {B}/v1.1.0.bundle && {RECORD}", "PIN005"),
    Mutation("two bundles exchanged", f"mv {B}/v1.0.0.bundle k && mv {B}/v1.1.0.bundle {B}/v1.0.0.bundle && mv k {B}/v1.1.0.bundle", "PIN004"),
    Mutation("lines of the record exchanged", f"tac {B}/SHA256SUMS > k && mv k {B}/SHA256SUMS", "PIN005"),
    Mutation("no record", f"rm {B}/SHA256SUMS", "PIN004 PIN005 PIN009"),
    Mutation("an emptied record", f": > {B}/SHA256SUMS", "PIN004 PIN005 PIN009"),
    Mutation("a record that leads out", f'echo "$(sha256sum {B}/v1.1.0.bundle | cut -c1-64)  ../x.bundle" >> {B}/SHA256SUMS', "PIN004 PIN005 !"),
    Mutation("a bundle without a line", f"cp {B}/v1.1.0.bundle {B}/v9.bundle", "PIN004"),
    Mutation("a bundle as a link", f"mv {B}/v1.1.0.bundle k && ln -s ../../k {B}/v1.1.0.bundle", "PIN004"),
    Mutation("no bundles", f"rm -r {B}", "PIN004 PIN005 PIN009"),
    Mutation("a tag made anew for the same commit", f"{UPSTREAM} && {TAG} v1.1.0 v1.1.0^{{}} && {PUBLISH}", "PIN008", "for the same commit"),
    Mutation("a tag made a light one for the same commit", f"{UPSTREAM} && git tag -f v1.1.0 v1.1.0^{{}} && {PUBLISH}", "PIN008", "for the same commit"),
    Mutation("a tag made anew for another commit", f"{UPSTREAM} && {TAG} v1.1.0 $({OTHER}) && {PUBLISH}", "PIN007", "is pinned"),
    # The patch.
    Mutation("a patch's added line", "sed -i 's/^+ours/+theirs/' patches/p0.patch", "PAT001"),
    Mutation("a patch's reason", "sed -i 's/^Why: .*/Why: other/' patches/p0.patch", "PAT001"),
    Mutation("a patch without a reason", "sed -i '/^Why:/d' patches/p0.patch", "PAT001 !"),
    Mutation("a patch emptied", ": > patches/p0.patch", "PAT001 !"),
    Mutation("a patch removed", "rm patches/p0.patch", "PAT002"),
    Mutation("a patch that is not listed", "cp patches/p0.patch patches/p1.patch", "PAT002"),
    Mutation("a patch renamed", "mv patches/p0.patch patches/p1.patch", "PAT002"),
    Mutation("a patch with other line ends", "sed -i 's/$/\\r/' patches/p0.patch", "PAT001"),
    Mutation("a patch as a link", "mv patches/p0.patch k.patch && ln -s ../k.patch patches/p0.patch", "PAT002"),
    Mutation("a patch listed twice", "sed -i 's/\\[\"p0.patch\"\\]/[\"p0.patch\", \"p0.patch\"]/' mirror/upstream.toml", "!"),
    Mutation("a patch no longer listed", "sed -i 's/\\[\"p0.patch\"\\]/[]/' mirror/upstream.toml", "PIN002 PAT002 PAT001"),
    # Attributes.
    *(Mutation(f"attribute {one}", f"echo '*.py {one}' >> .gitattributes && {COMMIT}", "ENV009 ENV003") for one in ("working-tree-encoding=UTF-7", "text eol=crlf", "ident", "filter=x")),
    Mutation("attribute beside the declaration", f"echo 'gateway/** text eol=crlf' > mirror/.gitattributes && {COMMIT}", "ENV009 ENV003"),
    Mutation("attribute of this clone", "mkdir -p .git/info && echo '*.py ident' > .git/info/attributes", "ENV009 ENV003"),
    # A person's own: where the guard stands no byte changes by it.
    Mutation("attribute of the person alone", "echo '*.py ident' > .git/own && git config core.attributesFile \"$PWD/.git/own\"", ""),
    Mutation("attribute of the person without a guard", "git rm -q .gitattributes && git commit -qm x && echo '*.py ident' > .git/own && git config core.attributesFile \"$PWD/.git/own\"", "ENV010"),
    Mutation("no guard", "git rm -q .gitattributes && git commit -qm x", "ENV010", "may convert it and 4 more: no attribute of ours prevents it; "),
    *(
        Mutation(f"attribute {attribute} on {path}", f"printf '{path} {attribute}\\n' >> .gitattributes && {COMMIT}", "ENV009", words)
        for path, attribute, words in (
            ("*.py", "export-subst", "an archive may write other bytes"),
            ("*.py", "export-ignore", "an archive leaves it out"),
            (M, "export-ignore", "an archive leaves it out"),
            ("mirror", "export-ignore", "an archive leaves it out"),
            (f"{S}/", "export-ignore", "an archive leaves it out"),
        )
    ),
    *(
        Mutation(f"inner attribute {attribute}", f"echo '*.py {attribute}' > {S}/.gitattributes && {COMMIT}", "ENV011", f"in the mirror set {attribute}")
        for attribute in ("export-ignore", "export-subst")
    ),
    Mutation("attribute by a macro", f"printf '[attr]odd eol=crlf\\n*.py odd\\n' > .gitattributes && {COMMIT}", "ENV009 ENV003"),
    Mutation("attribute on patches", f"echo '*.patch eol=crlf' > .gitattributes && {COMMIT}", "ENV003"),
    # The entry.
    Mutation("entry edited", entry("s/extend\\(application\\)/extend(None)/"), "GEN001"),
    Mutation("entry without its note", "sed -i 1,3d ours/_generated.py", "GEN001"),
    Mutation("entry with other line ends", "sed -i 's/$/\\r/' ours/_generated.py", "GEN001"),
    Mutation("entry emptied", ": > ours/_generated.py", "GEN001"),
    Mutation("entry removed", "rm ours/_generated.py", "GEN001"),
    Mutation("entry as a link", "mv ours/_generated.py k.py && ln -s ../k.py ours/_generated.py", "GEN005"),
    Mutation("a package beside the entry", "mkdir ours/_generated && touch ours/_generated/__init__.py", "GEN007"),
    Mutation("a compiled file beside the entry", "touch ours/_generated.cpython-311-x86_64-linux-gnu.so", "GEN007"),
    Mutation("an anchor no longer declared", "sed -i '/insert_after/d' mirror/upstream.toml", "GEN001 !"),
    Mutation("an anchor of another function", "sed -i '/^name = \"build\"/a function = \"other\"' mirror/upstream.toml", "GEN002 GEN006"),
    Mutation("another import declared", "sed -i 's/import extend\"/import other\"/' mirror/upstream.toml", "GEN001"),
    # The origin.
    Mutation("another spelling of the record", f"sed -i 's/  v1.1.0/ *v1.1.0/' {B}/SHA256SUMS", "PIN004 PIN005 PIN009 !"),
    Mutation("another place declared", "sed -i 's|^url = .*|url = \"mirror/other\"|' mirror/upstream.toml", "PIN002 PIN016 !"),
    Mutation("another folder declared", "sed -i 's|^path = .*|path = \"mirror/other\"|' mirror/upstream.toml", "PIN002 MIR003 !"),
    Mutation("another folder left out", "sed -i 's|^exclude = .*|exclude = [\"src\"]|' mirror/upstream.toml", "PIN001"),
)  # fmt: skip
