"""The words of ``stance`` in English: ``\\s`` is a space or signs of emphasis, ``\\0`` stands for code and paths."""

from __future__ import annotations

# These apply to the whole clause, to what comes before the words, or to what closely follows them.
GONE_BEFORE = (
    r"(?:is|are|was|were|been|being|be|got|now|gets?|all|since) \s (?:\w+ly \s)?"
    r"(?:deleted|removed|dropped|retired|superseded|replaced|gone|dead|obsolete|missing|absent|abandoned|stripped)",
    r"no \s longer (?= \s (?:exists?|present|there|needed|required|used|available|supported|part|shipped|in|created"
    r"|generated|written|produced|maintained)\b"
    r"| \W*$ | [.,;)])",
    r"not \s exist(?:s|ing)? | \w+n['’]t \s exist | never \s existed | non-?existent (?! \s [\w\0-]) | any \s? more",
    r"(?:is|are|was|were) \s (?:an? \s | the \s)? (?:stale|old|historical|former|legacy|previous|obsolete) (?:/\w+)?"
    r" \s? (?:name|path|alias)s?",
    r"(?:is|are) \s (?:\w+ly \s)? not \s (?:in|part|there|here|set|defined|present|available|listed|included)",
    r"was \s (?:the|an?) \s \w+",
    r"had \s no \s (?:\w+ \s)?callers? | as \s long \s as \s it \s (?:existed|lived|was \s there)",
    r"(?:is|are) \s \0+ (?: (?:,|\s and|\s or) \s \0+){0,3} \s now",  # "`a` and `b` are `c` now"
    r"became | died | (?:is|was|were) \s (?:now|renamed|moved|folded|inlined|merged|migrated"
    r"|split (?! \s (?:by|across|between|among|over)\b))",
)
GONE_AFTER = (
    r"(?:does|do) \s not \s (?:support|accept|know|offer|provide|have|take)",
    r"\w+n['’]t \s (?:support|accept|offer|provide)",
    r"(?:missing | lost | absent) \s (?:[\w-]+ \s){0,2} [\w-]+ \s? [:：]",
    r"no \s such | there \s (?:is|are) \s no | ha(?:s|ve) \s no | \w+n['’]t \s have | without \s an?",
    r"no \s \w+ \s (?:has|have|ships?|contains?|defines?|includes?|provides?)",
    r"no \s longer (?=\s (?:an? \s | the \s)? \0)",
    r"no \s longer \s (?:\w+ \s){1,3} (?:in|by|via|from|through) | no \s longer \s \w+ (?:\s [\w-]+){0,4} (?=\s \0)",
    r"(?:it|they|we|this|that|which|there|code|app) \s used \s to \s \w+",
    r"no \s longer \s (?:grants?|has|have|uses?|needs?|imports?|depends? \s on|supports?|ships?|includes?|contains?"
    r"|requires?|provides?|exports?|calls?|sets?|reads?|writes?|sends?|runs?|passes|accepts?|defines?)",
    r"(?:old(?:er)?|former|previous|outdated|stale|legacy) \s (?:docs?|documentation|readmes?|notes?|guides?|comments?"
    r"|instructions?) \s (?:(?:still|may|might) \s)?"
    r"(?:refer(?:s|ring)? \s to|point(?:s|ing)? \s (?:to|at)|speak(?:s|ing)? \s of|referenc(?:e|es|ing)"
    r"|mention(?:s|ing)?|nam(?:e|es|ing)|list(?:s|ing)?|describ(?:e|es|ing)|cit(?:e|es|ing)|show(?:s|ing)?|say(?:s|ing)?)",
    r"(?:do \s not|don['’]t|must \s not|should \s not|never) \s"
    r" (?:re-?\s?(?:introduce|add|instate|vive)|resurrect|bring \s back)",
    # "docs that mention `arena` should use `hall` instead"
    r"(?:refer(?:s|ring)? \s to|referenc(?:e|es|ing)|mention(?:s|ing)?)"
    r" (?= \s [^.:;\n]{1,80} \s (?:should|must) \s (?:now \s)? use \s [^.\n]{1,60} \s instead\b)",
    r"was \s at | was | formerly | previously | replaces | supersedes",
    r"(?:renamed|moved|migrated|extracted|split|ported|copied|merged|re-?structured|re-?organi[sz]ed|relocated|converted"
    r"|re-?factored|re-?written|switched|upgraded|transitioned) \s (?:here \s)? (?:out \s of|from|away \s from)",
    r"(?:residues? | remnants? | left-?overs? | salvaged | distilled | harvested) \s (?:of|from)",
    # What does these to another thing is there itself: "`tidy.py`: removes old logs".
    # But not a drop-in, nor a drop-down.
    r"delet(?:es?|ing) | remov(?:es?|ing) | drop(?:s|ping)? (?!-) | purg(?:es?|ing) | eliminat(?:es?|ing)",
    r"(?:deletion|removal) \s of",
    # But not of what is used on something old: "migrates legacy rows with `move.py`".
    r"(?:old \s path | old | legacy | former) (?! \s (?:[\w-]+ \s){1,4} (?:with|by|via|using|through) \s \0)"
    r"| no (?=\s \0)",
    r"gone , \s and \s so \s (?:is|are) | non-?existent (?= \s [\w\0-])",
)
GONE = (
    r"deleted | removed | dropped | retir(?:ed?|ing)",
    r"supersed(?:ed?|ing)",
    r"replac(?:ed|ing) | deprecat(?:ed?|es|ing) | gone | abandon(?:ed|ing) | discontinued",
    r"used \s to \s (?:be|live)",
    r"missing (?! \s (?!(?:from|in|since|here|there|on|at|and|or|but|as|today|now)\b) [a-z])",  # not "missing keys"
    # But not "obsolete images", which are not what is cited.
    r"obsolete (?! \s (?!(?:and|or|but|as|since|in|by|now|today|files?|folders?|director(?:y|ies)|scripts?|modules?"
    r"|paths?|names?|docs?|pages?|class(?:es)?|functions?|methods?|commands?|code|packages?|flags?|options?)\b) [a-z])",
    r"(?:already | once | still | only) \s existed (?= \s (?:in|inside|within|at)\b)",
    r"while \s it \s (?:existed|lived)",
    r"nuked | killed | absent | dead | scrapp(?:ed|ing) | purged",
    r"eliminated | ripp(?:ed|ing) \s out",
    r"got \s rid \s of | (?:taken|took) \s out | went \s away | phas(?:ed|ing) \s out | was \s cut (?! \s from)",
    r"revert(?:ed|ing)",
    r"cleaned \s up | is \s no \s more | no \s need \s for | stale \s (?:docs?|notes?|references?)",
    r"renam(?:ed|ing) | (?<!\ba[ ])(?<!\bthe[ ])(?<!\bany[ ])(?<!\beach[ ]) renames? | \brename \s of",
    r"mov(?:ed|ing) | migrat(?:ed|ing) | (?:merg|fold)(?:ed|ing)",
    r"(?:extracted|split|turned|collapsed|condensed|unified|flattened) \s into | (?:absorbed|subsumed) \s (?:into|by)",
    r"inlined | consolidated | swapped | lived \s in | has \s (?:since \s)? become",
)
# How things are to be called: what stands beside it shows that, whether there is one or not.
_NAMING = (
    r"nam(?:e|ed|ing) \s (?:[\w-]+ \s){0,2} (?:descriptively|consistently|meaningfully)",
    r"(?:schema|type|file|class|test|component|function|hook|variable|branch|constant|method|table|column|event|module)"
    r" \s names? (?=\s? [:：])",
    r"(?:pre|suf)fix(?:es)? (?=\s? [:：] \s? \0)",
)
OTHERWISE = (
    *_NAMING,
    r"not \s yet | no \s such (?:\s [\w-]+){0,2} \s yet"
    r" | (?:no \s [\w-]+ | nothing) \s (?:exists? | is \s there | there | here) \s yet",
    r"not \s (?:(?:been|currently|presently|actually|now|yet) \s )?(?:created|committed|implemented|present|tracked"
    r"|checked \s in|in \s (?:the|git)|on \s disk)",
    r"(?:files?|migrations?|pages?|names?) \s (?:are \s)? numbered (?:\s [\w-]+){0,3} \s? [(] (?=\0)",
    r"recreate | re-create | resurrect | reintroduc(?:ed?|es|ing) | bring \s back",
    r"(?:stop | not) \s look(?:ing)? \s for",
    r"legacy",
    r"formerly | previously | forbidden | banned | still \s (?:named|called)",
    # made, or not always there
    r"no \s such \s (?:\w+ \s)?"
    r" (?:file|folder|directory|path|script|module|function|command|class|page|document|test)"
    r" \s (?:exists? | is \s there | any \s more | anywhere)",
    r"generated (?!\s by\b) | git-?ignored? | untracked | local(?:ly)? \s only",
    r"(?:exclud(?:ed|es?)|ignored|kept \s out|left \s out|omitted) \s (?:from|by|of|in) \s (?:the \s)?"
    r"(?:git|version \s control|source \s control|vcs|commits?)",
    r"(?:is|are) \s (?:all \s | only \s)? (?:an? \s)? temporary",
    # but not of what follows: "optional role enforcement"
    r"optional(?:ly)? (?! \s [a-z]) | optional (?= \s (?:[\w-]+ \s ){0,2} \0)",
    r"when \s it \s exists",
    r"(?:preserved|kept|archived|available) \s (?:only \s)?"
    r" (?:in|at|as|under|on) \s (?:(?:the|a) \s)? (?:git \s)? (?:tag|history)",
    r"(?:when|once) \s (?:it \s is \s)? (?:implemented|ready|done) | by \s default",
    r"(?<=[(（]) (?:when|once) \s (?:it \s (?:is|becomes) \s)? available (?= \s? [)）])",
    r"at \s (?:runtime | (?:build|install|compile|run) [\s-] time)",
    r"pre-v?\d[\w.]* | commented \s out | re-?add | add \s back | post-mvp",
    r"if \s (?:applicable|any|present|needed) | si \s aplica",
    # "(some modules)"
    r"(?:some|most|many|a \s few) \s (?:modules|packages|apps|projects|repos|repositories|services|crates) (?=[)])",
    r"if \s (?:the|a|its) \s (?:module|package|project|app|service|repo) \s (?:has|supports|provides) \s (?:it|one)",
    r"upstream | (?:on|in|from|of|to|into|onto|under) \s (?:[\w/\0.-]+ \s){0,3} branch(?:es)?",
    r"branch(?:es)? (?= \s (?:only|has|have|holds?|contains?|keeps?)\b | \s? :? \s \0)",
    # elsewhere
    r"(?:an)?other \s (?:repo(?:sitor(?:y|ies))?|project) | (?:private|old|former) \s repo(?:sitory)?",
    # "the docs repo", but not this one: "from the repo root", "our own repository"
    r"(?!(?:an?|and|any|as|at|base|by|current|each|entire|every|for|from|git|in|inside|is|its?|my|of|on|or|our|own|per|same|that|the"
    r"|their|this|to|whole|with|within|your) \b) \w+ \s repo (?:sitory)?",
    # planned
    r"will \s (?:be|add|create|live|contain|become|move|go) | to \s be \s (?:added|created|written) | planned",
    r"to-?do (?! [ ] (?:apps?|ui|views?|pages?|screens?|models?|components?) \b)",  # of what the project is about
    r"(?:files?|tests?|modules?|documents?|folders?|scripts?) \s to \s (?:create|add|write|be)",
    r"propos(?:ed|al) | future | would \s (?:be|live|add|create) | should \s (?:be \s )?(?:add|create)d? | phase \s \d",
    r"(?:must|need \s to|going \s to) \s create | create \s (?:a|an|the|new) | add \s an? \s new | new \s file",
    r"(?:put|goes?|belongs?) \s (?:\w+ \s ){0,2}in(?:to)?",
    r"produc(?:e|es|ing) \s (?:an? | the) \s (?:[\w-]+ \s){0,8}(?:files?|documents?|pages?|reports?)"
    r" (?=\s? [(:]? \s? \0)",
    r"(?:store | save | (?<![a-z,][ ]) (?:document|record)) \s (?:[\w-]+ \s ){0,4}(?:in(?:to)?|under)",
    r"not \W{1,4} (?:read|exported|exposed|supported|provided|defined|available)",
    r"hypothetical | placeholders?",
    r"descriptive \s names? | (?<=\0[ ]) naming | nam(?:e|ed|ing) \s (?:\w+ \s){0,3} after",
    r"(?:lower|upper)?camel[\s_-]?case | (?:(?:screaming|upper)[\s_-])?snake[\s_-]?case | pascal[\s_-]?case"
    r"| kebab[\s_-]?case | abbreviations?",
    r"each \s [\w-]+ \s ha(?:s|ve) \s (?:its|their) \s own",
    r"(?:need(?:s|ed)? \s (?:an? | (?:my|your|its|their|his) \s own) | requires? \s an? | expects? \s an?)"
    r" (?=\s (?:(?!(?:under|in|at|from|of|for|to|on|by|with)\b)[\w-]+ \s){0,2} \0)",
)
# Made by what follows, or once was.
OTHERWISE_BEFORE = (
    r"(?: (?<=[:：—–-][ *]) | (?:is|are) \s (?:now \s | currently \s)?) empty (?! \s \w)",
    r"generated \s by",
    r"was \s (?:built|derived|computed|assembled|constructed) \s (?:from|by|with)",
)
# What follows closely is another thing's, is not there, is made, or is to come.
OTHERWISE_NEXT = (
    r"['’]s \s own",
    r"(?:do \s not | don['’]t) \s (?:go \s)? (?:look|hunt|search)(?:ing)? \s for (?= \s (?:(?:an? | the) \s)? \0)",
    r"run-?time \s (?:data|files|artifacts)"
    r" \s (?:lives? | lands? | go(?:es)? | (?:is|are) \s (?:kept|stored|saved|written))"
    r" \s (?:in | under | below | at) (?= \s \0)",
    # "once you add the scripts to `kiln.json`", "once `kiln.json` has a script"
    r"(?:once | as \s soon \s as) \s you(?:['’]ve)? \s (?:add|create|make|write)(?:d|ed)?"
    r" (?:\s [^,.;:\0]{1,60}? [ ] (?:to|in|into))? (?= \s \0)",
    r"(?:once | as \s soon \s as)"
    r" (?= \s \0+ \s (?:exists? | is \s (?:there|added|created|built|in \s place) | has \s an? \s))",
)
# What follows is made, a counter-example or an example.
OTHERWISE_AFTER = (
    r"a \s new | (?<!\0[ ]) naming | (?:defin|declar)(?:e|ing) \s an? (?=\s \0)",
    r"generat(?:es?|ing) | (?<!never[ ])emits? | writes? (?! \s (?:inside|within|outside))"
    r" (?! \s (?:helpers?|paths?|operations?|access|locks?|permissions?|calls?|side)\b)",
    r"(?:do \s not|don['’]t|must \s not|should \s not|never) \s (?:create|use|add|commit|write|import|alias|name"
    r"|rename|introduce|define|declare|invent|export|expose|construct|instantiate|re-?\s?(?:enable|activate|add|introduce"
    r"|store|instate|vive|create)|resurrect|bring \s back)",
    # a list of what nobody is to use, and not what is said of others in it
    r"(?:do \s not|don['’]t|must \s not|should \s not|never) \s (?:suggest|recommend|propose|mention|reference|install)"
    r" (?! [^;:()—–\n]{0,200}? \s (?:in|to|from|than|what|but|of|that|those|without|anything)\b)",
    r"(?:do \s not|don['’]t|must \s not|should \s not|never) \s [^.:;\0\n]{1,60}"
    r" \s or \s (?:use|add|write|create) (?= \s (?:an? \s)? \0)",
    r"instead \s of | rather \s than | avoid | (?:old|former) \s (?:locations|places|paths) \s? [(:]",
    r"(?<=\0[ ]) (?:flags|rejects|forbids|blocks|refuses|denies|bans) (?= \s \0)",  # what a check is about
    r"not \s (?:in|under|inside|from|via|through) | not (?=\s \0)",
    r"if (?= \s \0+ \s (?:exists|is \s (?:there|present))) | no \s separate",
    r"creat(?:e|ing) (?:\s (?:or|and) \s \w+)? (?=\s \0)",
    r"(?:applied | ran) \s (?:\w+ \s ){0,4} migrations? (?=\s \0)",
    r"(?:until|up \s to|before|prior \s to) \s (?:version \s | v)? \d+\.\d[\w.]*",
    r"each \s (?:\w+ \s){0,3} (?:defines?|exports?|declares?|implements?|exposes?|provides?)",
    r"(?:equivalents?|counterparts?|analogues?) \s (?:of|to|for) (?:\s [\w.]+['’]s)? (?=\s \0)",
    r"(?:versions?|answer|replacement) \s (?:of|to|for) \s [\w.]+['’]s (?=\s \0)",
    # what users lay there: "operator overrides in `config/rules/`"
    r"(?:user|operator|admin|local|personal|custom|site|your|their)s?(?:['’]s?)? \s overrides? \s"
    r" (?:in|under|below|at|from) (?=\s \0)",
    r"someone \s else['’]s | (?:an? | each | every) \s [\w-]+['’]s (?=\s \0)",
    r"(?:previous|former|erstwhile) (?=\s \0)",
    # "never give it a vague name such as `misc.py`"
    r"(?:never|avoid|do \s not|don['’]t|must \s not|should \s not) \s [^.:;\0\n]{1,80}? [ ,]"
    r" (?:such \s as|like|e\. \s? g\.? ,?) (?=\s \0)",
    r"never (?:\s an?)? (?=\s \0)",
    r"(?:do \s not|don['’]t|must \s not|should \s not|never) \s set \s [^.:;]{1,80}? [ ] in (?= \s [^.:;]{0,30}\0)",
    # "names like …", but not "helpers like …"
    r"(?:names?|something|anything|words?|titles?|prompts?|requests?|questions?|phrases?) ,? \s like",
    r"(?:(?:old|previous|former|prior) \s (?:\w+ \s?){0,2} | exclud(?:es?|ed|ing) \s?) [:：]",
)
# What may be any of many.
EXAMPLE = (r"example | examples (?:\s include)? (?=\s?[:：])",)
EXAMPLE_AFTER = (
    # "1. Create the router in `api/kiln.py`": it may be there, and need not.
    r"creat(?:e|ing) \s (?:[\w-]+ \s){0,4} (?:in|at|under|inside) (?=\s \0)",
    r"creat(?:e|ing) \s (?:[\w-]+ \s){0,3} (?:files? | director(?:y|ies) | folders? | modules? | tests?) \s? [:：]",
    r"e\. \s? g\.? | eg\. | ex \.? \s? [:：] | (?<=[(（]) ex \. (?=\s \0)",
    r"for \s (?:example|instance) ,? | such \s as",
)
# What each of many has, and is no single file where it is a bare name.
OF_EACH = (
    r"(?:each|every) \s (?:[\w-]+ \s){0,4} (?:needs|requires|contains|(?:comes|ships) \s with"
    r"|(?:must|should) \s (?:have|contain|include|provide|ship))",
    r"(?:files|manifests|documents|pages|modules|folders|scripts|tests) \s"
    r" (?:per | (?:of|for) \s (?:each|every)) \s [\w-]+ (?=\s?[:：])",
)
# By these a line stays true once the thing is gone: they forbid it, ask for it, leave it to others or to a build, or
# are about one of each.
# "do not add", and not "if not set", "not only".
FORBIDDING = (
    r"never | (?:do | must | should | may | can | shall) \s not | (?:do | must | should | ca)n['’]t | cannot"
    r" | avoid\w* | forb[ai]d\w* | banned | prohibit\w* | instead \s of | rather \s than",
)
LASTING = (
    *_NAMING,
    r"not | \w+n['’]t | never | no | none | nothing | without | avoid\w* | forb[ai]d\w* | banned | instead",
    r"if | when | unless | until | once | yourself | optional\w* | ignored | untracked",
    r"build\w* | compil\w+ | runtime | generates | creates? | adds?",
    # "in all packages", but not "the page with all requests"
    r"each | every | per | own",
    r"(?<!\bwith[ ])(?<!\bhas[ ])(?<!\bhave[ ])(?<!contains[ ])(?<!containing[ ])(?<!holds[ ])(?<!holding[ ])"
    r"(?<!handles[ ])(?<!handling[ ])(?<!includes[ ])(?<!including[ ])(?<!defines[ ])(?<!defining[ ])(?<!exports[ ])"
    r"(?<!exporting[ ])(?<!covers[ ])(?<!covering[ ])(?<!shows[ ])(?<!showing[ ]) (?:any | all)",
)
# What is not to be taken away: "never delete or rename `kiln.rb`", "it must not be removed".
_TAKEN = r"(?:delet | remov | renam | drop | retir | deprecat | eras)(?:e[ds]? | ing | ped | ping)?"
SPARED = (
    r"(?:never | not | cannot | can['’]t | don['’]t | won['’]t | mustn['’]t | shouldn['’]t | isn['’]t | wasn['’]t)"
    r" \s (?:(?:ever | be | been | just | simply | accidentally | yet) \s){0,2}"
    rf"{_TAKEN} (?:(?:\s or | \s and | , | /) \s? (?:{_TAKEN} | move)){{0,3}}",
    rf"(?:none | nothing | neither) \s (?:of \s \w+ \s)? (?:(?:is|are|was|were|has|have|been) \s){{1,2}} {_TAKEN}",
    r"(?:removed|dropped|retired|deprecated|superseded|replaced|obsolete|legacy) ,? \s (?:but|yet|though)"
    r" \s (?:\w+ \s){0,2}(?:still|kept|stays?|remains?)\b",
)
