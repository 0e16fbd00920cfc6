"""The words of ``stance`` in other languages seen in notes and documents; most have no word boundaries."""

from __future__ import annotations

GONE = (
    r"삭제|제거|폐기|없어|없음|없다|删|刪|移除|废弃|废除|弃用|退役|下线|作废|去掉|不存在|已不在|棄用|削除|廃止|撤去|存在しない",
    r"xó[ai]|xoá|gỡ\s?bỏ|loại\sbỏ|không\s(?:còn|có|tồn\stại)|đã\sbỏ",
    r"gelöscht|entfernt|abgeschafft|veraltet|gibt\ses\snicht|existiert\snicht|entfallen|weggefallen",
    r"supprimée?s?|retirée?s?|obsolètes?|n['’]existe(?:nt)?\s(?:pas|plus)|abandonnée?s?",
    r"удал(?:ён|ен|или|яет)\w{0,3}|убра(?:н|ли)\w{0,2}|больше\sне|не\sсуществует|устарел\w{0,3}|выпилен\w{0,2}",
    r"usunięt\w|usunieto|nie\sistnieje|już\snie\sma|rimoss\w|deprecat[oaie]\b|non\sesiste|dismess\w|kaldırıldı|silindi|artık\syok",
    r"(?:eliminad|removid|excluíd|aposentad|descontinuad|depreciad|retirad|obsolet|borrad|suprimid|apagad|deprecad)[oa]s?",
    r"no\sexisten?\b|dej(?:ó|aron)\sde\sexistir|n[ãa]o\sexistem?\b|deix(?:ou|aram)\sde\sexistir|(?:eliminat|cancellat)[oaie]\b|obsolet[oai]\b",
    r"non\sesistono|non\sc['’]è\spiù|disparue?s?|dépréciée?s?|existieren\snicht|nicht\smehr\svorhanden|gestrichen|ausgebaut",
    r"なくなった|無くなった|もう(?:ない|無い)|不要になった|もう使わ|더\s이상|사용되지\s않|不再存在|已经没有|淘汰",
    r"\b(?:verwijderd|bestaa[nt]\s(?:\w+\s)?niet|niet\smeer|vervallen|afgeschaft|verouderd|uitgefaseerd|opgeheven|geschrapt)\b",
    r"\b(?:bort(?:tag|plock)\w+|tog(?:s|it)\sbort|finns\s(?:\w+\s)?inte|raderad\w*|avvecklad\w*|föråldrad\w*|fjernet|slettet"
    r"|fin(?:de|ne)s\s(?:\w+\s)?ikke|eksisterer\sikke|utfaset|udfaset|forældet|foreldet|poistettu|ei\senää|vanhentunut)\b",
    r"\b(?:nie\sistnieją|przestarzał\w*|wycofan\w*|odstr[aá]n[ěe]n\w*|smaz[aá]n\w*|zmazan\w*|zrušen\w*|neexist\w+|už\snen[ií]"
    r"|zastaral\w*|törölt\w*|törölve|eltávolít\w*|nem\slétez\w*|már\snincs\w*|elavult|megszűnt)",
    r"\b(?:șters\w*|eliminat[ăei]?|nu\s(?:mai\s)?există|învechit\w*|видален\w*|прибран\w*|більше\sне|не\sіснує|застаріл\w*|obrisan\w*"
    r"|uklonjen\w*|ne\spostoji|uklanja\w*|премахнат\w*|вече\sне\sсъществува|διαγράφηκ\w*|αφαιρέθηκ\w*|δεν\sυπάρχ\w*|καταργήθηκ\w*)",
    r"mevcut\sdeğil|kullanımdan\skalk\w*|\bdihapus\b|\b(?:sudah\s)?tidak\s(?:lagi\s)?ada\b|\busang\b|ถูกลบ|ลบแล้ว|ไม่มี(?:แล้ว|อยู่)|เลิกใช้",
    r"حُ?ذف|تمت\sإزالة|لم\sيعد|غير\sموجود|مهجور|وجود\sندارد|حذف\sشد|נמחק|הוסר|לא\sקיים|כבר\sלא|हटा\sदि|मौजूद\sनहीं",
    # What existed: "já existia", "saiu daqui", "canceladas."
    r"\b(?:sa(?:iu|íram)\s(?:daqui|na|no|em|para)|sali(?:ó|eron)\sde\saquí|uscit[oaie]\sda\squi|a\squitté\sce)\b",
    r"\bexist(?:i(?:a|am|u|ram)\s(?:dentro|em|n[oa]s?)|ía[n]?\s(?:dentro|en)|(?:ió|ieron)\s(?:dentro|en)|ai(?:en)?t\s(?:dans|en))\b"
    r"|\besistev\w+\s(?:in|nel\w*)\b|\benquanto\sexisti\w+|\bmientras\sexisti\w+",
    r"\b(?:foi|foram|fue|fueron)\s(?:cancelad|revogad|revocad|anulad)[oa]s?\b",
)
# Adjectives behind what is old.
GONE_BEFORE = (
    r"\bcũ\b",
    r"(?<=\0[ ])(?:antigu[oa]|antig[oa]|viej[oa]|velh[oa]|vecchi[oa])s?\b",
)
OF_EACH = (
    r"\bjede[rsnm]?\s(?:[\w-]+\s){1,4}(?:brauch|benötig|enthält|hat\b|muss\b)\w*|\bchaque\s(?:[\w-]+\s){1,4}(?:doit|possède|contient"
    r"|requiert|nécessite)\b|\bcada\s(?:[\w-]+\s){1,4}(?:debe|necesita|tiene|requiere|contiene|deve|precisa|tem|requer|contém)\b"
    r"|\bogni\s(?:[\w-]+\s){1,4}(?:deve|richiede|contiene)\b|\bкажд\w{2,3}\s(?:[\w-]+\s){1,4}(?:долж[ен]н?[ао]?|имеет|требует|содержит)\b",
    r"每(?:个|個)[^\0，。；\n]{1,12}(?:需要|必须|必須|要有|都有|包含)|모든\s[^\0.\n]{1,12}(?:은|는|에는)(?=\s?\0)",
)
FORBIDDING = (
    r"\b(?:nicht|kein\w*|niemals|nie|jamais|nunca|jamás|não|non|не|нельзя|никогда|nigdy|niet|nooit)\b",
    r"[勿禁]|不[要可得能许許准]|ないで|しない|ません|禁止|않|마세요|금지",
)
LASTING = (
    r"\b(?:nicht|kein\w*|nie|wenn|jede\w*|pas|jamais|si|chaque|nunca|jamás|cada|não|se|non|mai|ogni|не|нет|если|кажд\w+)\b",
    r"[不勿禁无無没若每各]|如果|ない|ません|場合|않|마세요",
)
# What is not to be taken away.
SPARED = (
    # What a function does to others.
    r"(?:删除|移除|清除)(?:它们?|其(?!他)|自身)|それら?を(?:削除|除去)|그것(?:들)?을\s?(?:삭제|제거)",
    r"(?:不要|请勿|請勿|切勿|勿|不得|不可|不能|禁止|别)(?:随意|直接|手动)?(?:删除|刪除|移除|删掉|重命名|改名)",
    r"(?:削除|消去|改名)(?:しない|せず|禁止|は禁止)(?:で|こと)?|消さない(?:で)?|(?:삭제|제거)(?:하지\s?(?:마|말|않)|\s?금지)",
    r"\b(?:nicht|nie|niemals|keinesfalls)[\s*]{1,4}(?:löschen|entfernen|umbenennen|gelöscht|entfernt|umbenannt)"
    r"|\b(?:lösch|entfern)\w*\s(?:nicht|nie|niemals)\b",
    r"\bne\s(?:pas|jamais)\s(?:supprimer|retirer|effacer|renommer)|\b(?:no|nunca|jamás|não)\s(?:borr|elimin|quit|renombr|apag|remov|exclu"
    r"|renome)\w+|\b(?:non|mai)\s(?:eliminare|cancellare|rimuovere|rinominare)",
    r"\bне\s(?:удал|убира|переимен)\w*|\bnie\s(?:usuw|kasuj|zmienia)\w*|\bniet\s(?:verwijder|hernoem)\w*|(?:không|đừng)\s(?:được\s)?"
    r"(?:xóa|xoá|gỡ|đổi\stên)",
)
WITHOUT = (
    r"旧(?:版)?(?:文档|说明)(?:仍|还)?(?:提到|引用|写)|古い(?:ドキュメント|資料)(?:では|に|の)|(?:ältere|alte|veraltete)\s(?:doku\w*|readme)\s(?:nenn|erwähn|verweis)\w*"
    r"|(?:ancienne\sdoc\w*|(?:documentación|documentação)\santiga?|(?:documentación|documentação)\santigua?)\s(?:mentionne|menciona|cita|cite)\w*",
    r"未(?:发现|找到|發現)|没(?:有)?(?:找到|发现)|見つからな|見つかりません|찾을\s수\s없|не\sнайден\w*|nicht\sgefunden|introuvables?"
    r"|no\sse\sencontr\w+|não\s(?:foi|foram)\sencontrad\w+|non\strovat\w",
    r"\b(?:niente|nessun[oa]?|kein(?:e[nmrs]?)?|ohne|sans|aucune?|pas\sde|sin|sem)(?=\s\0)",
    r"\b(?:(?:ya\s)?no\shay|(?:já\s)?não\shá|non\sc['’]è|n['’]y\sa\s(?:pas|plus)|gibt\ses\s(?:nicht|kein\w*))\b",
    r"(?:[无無](?:独立|獨立|单独|單獨)|没有|沒有|并无|已无|已不是|不再是|早已不是|已非)(?=[\s*]{0,4}\0)",
    r"\b(?:hie(?:ß|ss)(?:en)?|s['’]appelait|se\s(?:llamaba|chamava)|chamava-se|si\schiamava|называл(?:ся|[аоси]+)|nazywał\w*\ssię)\b",
    r"\b(?:(?:ist|sind)\snicht\smehr|n['’]est\splus|ya\sno\ses|já\snão\sé|não\sé\smais|non\sè\spiù)(?=[\s*]{1,4}\0)",
)
NOT = (
    r"[(（](?:이전|기존|구|旧|舊|原|früher|ehemals|ancien(?:nement)?|antes|anteriormente|ранее|бывш\w*)[\s:：]",
    r"不要|请勿|切勿|禁止|避免|不再|不得|而不是|而非",
    r"❌|✗|✘|🚫|⛔",  # before what is wrong
    r"\bnon\s(?:usare|utilizzare|aggiungere|creare|scrivere|importare|chiamare|introdurre)\b",
    r"\bno\s(?:añad|agreg|cre|escrib|import|llam|introdu)\w+|\bn[ãa]o\s(?:adicion|cri|escrev|import|cham|introdu)\w+",
    r"\bne\s(?:pas|jamais|plus)\s(?:utiliser|ajouter|créer|écrire|importer|appeler|introduire)\b",
    r"\bnie\s(?:używaj|dodawaj|twórz|importuj|wywołuj)\w*|\b(?:inte|aldrig|ikke|aldri)\s(?:använd|skapa|lägg|bruk|lag)\w*",
    r"\b(?:bis|vor|jusqu['’]à|avant|hasta|fino\sa(?:lla)?|até|до)\s(?:zur\s|la\s)?(?:version[e]?\s|versión\s|v)?\d+\.\d",
    r"\bkhông\s(?:dùng|sử\sdụng|tạo|thêm|gọi)\b",
    # "vergib nie einen vagen Namen wie `misc.py`"
    r"\b(?:nie(?:mals)?|nicht|kein\w*|vermeide\w*)\s[^.:;\0\n]{1,80}?[\s,]wie(?=\s\0)|\b(?:jamais|pas|évite[rz]?)\s[^.:;\0\n]{1,80}?[\s,]comme(?=\s\0)"
    r"|\b(?:nunca|jamás|no|não|evit[ae]r?)\s[^.:;\0\n]{1,80}?[\s,]como(?=\s\0)|\b(?:non|mai|evita(?:re)?)\s[^.:;\0\n]{1,80}?[\s,]come(?=\s\0)"
    r"|\b(?:не|никогда|избега\w*)\s[^.:;\0\n]{1,80}?[\s,](?:как|вроде)(?=\s\0)",
    r"\bniet\s(?:gebruiken|toevoegen|aanmaken|maken|schrijven|importeren|aanroepen)\b|\bvermijd\b|\bgebruik\s(?:geen|nooit)\b",
    r"\b(?:nepoužív\w*|nepřidáv\w*|nevytvář\w*|nepridáv\w*|nevytvár\w*|ne\shasznál\w*|nu\s(?:folosi|adăuga|crea)\w*|не\s(?:використ|додава|створю)\w*)",
    r"\b(?:nunca|jam[aá]is|mai|non?|n[ãa]o|ne\s(?:pas|jamais))[\s*]{1,4}(?:re-?(?:a[ck]?tiv|habilit|introdu|cre|cri|añad|adicion|agreg|abilit"
    r"|inser)|r[ée]-?(?:activ|introdui|tabli)|restaur|ripristin|riattiv)\w*|\b(?:nie|niemals|nicht)(?:\swieder)?\s(?:reaktivier|wieder\w{2,})\w*",
    r"\bjangan\s(?:gunakan|pakai|buat|tambah)\w*|kullanma\w*|eklemeyin\w*|อย่า(?:ใช้|สร้าง|เพิ่ม)|لا\sتستخدم|אל\sתשתמש",
    r"\b(?:mai|nie|niemals|jamais|jamás|nunca|nigdy|asla|nooit|aldrig|aldri|nikdy|soha|niciodată|ніколи\sне|никогда\sне|đừng)(?=\s\0)",
)
# How things are to be called: what stands beside it shows that.
CASINGS = (
    r"(?:케밥|파스칼|카멜|스네이크)\s?케이스|(?:ケバブ|パスカル|キャメル|スネーク)ケース"
    r"|[大小]驼峰|驼峰命名|(?:短横线|下划线)命名"
)
OTHERWISE = (
    CASINGS,
    r"(?:命名|番号順|번호\s?순)\s?[(（]\s?(?=\0)",
    r"临时(?:文件|目录)|暫存檔|一時(?:ファイル|フォルダ|ディレクトリ)|임시\s?(?:파일|폴더)|временн\w{2,3}\s(?:файл|папк|каталог)\w*"
    r"|fichiers?\stemporaires?|tempor[äa]re\w?\s(?:datei|ordner)\w*|(?:archivos?|ficheros?|arquivos?)\stempor[aá]rios?"
    r"|file\stemporane[io]",
    r"旧(?:代码)?(?:仓库|项目)|旧リポジトリ|옛\s?저장소|altes?\s(?:repo|repository)\b|ancien\sdépôt|repo(?:sitorio)?\santiguo|стар\w{2,3}\sрепо\w*",
    r"\b(?:zu\serstellende\w?\s(?:dateien?|tests?)|fichiers?\sà\scréer|archivos?\sa\screar|arquivos?\sa\scriar|file\sda\screare)\b"
    r"|(?:创建|新建)的(?:文件|模块)|作成する(?:ファイル|モジュール)|(?:만들|생성할)\s파일|файлы\sдля\sсоздания",
    r"(?<=\0)(?:을|를)?\s?다시\s?만들|(?<=\0)\s?を再作成|(?:重新|再)(?:创建|新建)(?=\s?\0)|(?:коли|когда)\sбуде?т?\sдоступн\w+|sobald\sverfügbar",
    r"\b(?:erzeug|erstell)\w{1,3}\s[^.;\0]{1,60}?(?:datei|dokument|bericht)\w{0,3}\s?[(:]?\s?(?=\0)"
    r"|\b(?:produi|génér|gener|produc|produz|produr)\w{1,5}\s[^.;\0]{1,60}?(?:fichier|document|rapport|archivo|informe|arquivo|relatório|file)"
    r"\w{0,3}\s?[(:]?\s?(?=\0)",
    r"不纳入(?:\s?git|版本)|不入库|不入版本库|不提交|(?:git|バージョン)\s?管理(?:外|対象外)|コミット(?:しない|対象外)|커밋하지\s?않",
    r"(?<=\0)\s?(?:のような|といった|みたいな|같은)",  # one such
    r"\|\s*(?:❌|✗|✘|🚫|⛔)\s*(?:禁止|不可|금지|ng|forbidden|banned|prohibited|never|avoid|bad|wrong|don['’]t|do\snot|verboten"
    r"|interdit|prohibido|proibido|vietato|запрещ|zakaz|nie\swolno)\w*",  # a column of what is right and wrong
    r"[(,]\s?(?:era|war|était)(?=\s\0+\s?[)）])",  # what it was called, as said in brackets
    r"\b(?:skapa|opprett|erstelle[nt]?|créer|créez|crea[rn]?|crie|criar|создай(?:те)?|создать|utwórz|maak|tạo)(?=\s\0)",
    r"(?:创建|新建|作成)(?=\s?\0)|(?:使わ|使用し|追加し|呼ば|置か|含ま)(?:れ)?ない|(?:場合|とき|時)(?:に)?のみ(?:作成|生成)|必要に応じて(?:作成|生成)"
    r"|(?:필요할|사용할)\s때만\s?(?:생성|만든)|(?:需要|使用)时(?:才)?(?:创建|新建|生成)|(?:사용|추가|호출)하지|쓰지\s?(?:마|않)",
    r"통합|이전됨|예정|향후|구\s|已合并|已重命名|將|将来|计划|计劃|不支持|不支援|未来|未來",
    r"迁入|迁出|迁至|迁到|迁自|已迁|移至|移到|移入|改名|更名|重命名|合并到|合并至|并入|拆分|收敛|收口|取代|替代|替换|承接|改为|改成|重构(?:为|成|到|至)|改造(?:为|成)|曾经|曾是|原先|原来|旧版",
    r"遷移|移動し|移行|改名|統合|置き換え|旧称|以前は|변경됨|이동됨|이름을\s?바꾸|옮겨|대체",
    r"đã\s(?:chuyển|đổi|thay|gộp|tách)|chuyển\s(?:sang|từ)|sẽ\s(?:có|tạo|thêm)",
    r"verschoben|umbenannt|umgebaut\szu|aufgegangen\sin|ersetzt|zusammengeführt|geplant|früher|ehemals",
    r"déplacée?s?|renommée?s?|remplacée?s?|fusionnée?s?|prévue?s?|anciennement",
    r"перемещ|перенес|переименован|заменен|заменён|планирует|раньше|прежн",
    r"movid[oa]s?|renombrad[oa]s?|renomead[oa]s?|reemplazad[oa]s?|substituíd[oa]s?|sustituid[oa]s?",
    r"przeniesion\w|przemianowan\w|zastąpion\w|spostat\w|rinominat\w|sostituit\w|taşındı",
    r"\b(?:hernoemd|verplaatst|vervangen\sdoor|samengevoegd|gepland|voorheen|vroeger|gegenereerd)\b",
    r"\b(?:omdöpt\w*|flytta(?:d|t|ts|des)|ersatt\w*|tidigare|genererad\w*|planerad\w*|omdøbt|flyttet|erstattet|tidligere"
    r"|generer(?:t|et)|planlagt|nimetty\suudelleen|siirretty|korvattu|aiemmin|suunnitel\w+)\b",
    r"\b(?:planowan\w*|dawniej|wcześniej|přejmenován\w*|přesunut\w*|nahrazen\w*|plánovan\w*|dříve|generov[aá]n\w*|premenovan\w*"
    r"|presunut\w*|átnevez\w*|áthelyez\w*|helyettesít\w*|korábban|generált\w*|tervezett)",
    r"\b(?:redenumit\w*|mutat\sîn|înlocuit\w*|anterior|planificat\w*|перейменован\w*|перенесен\w*|замінен\w*|раніше"
    r"|заплановано|згенерован\w*|preimenovan\w*|premešten\w*|zamenjen\w*|μετονομάστηκ\w*|μετακινήθηκ\w*|αντικαταστάθηκ\w*)",
    r"yeniden\sadlandırıl\w*|yerine\b|planlanan|oluşturulan|\b(?:diganti|dipindahkan|digantikan|sebelumnya|direncanakan|dihasilkan)\b",
    r"เปลี่ยนชื่อ|ย้ายไป|แทนที่|أُ?عيدت\sتسميت|نُ?قل\sإلى|שונה\sשם|הועבר",
    r"\b(?:n[ãa]o|nunca|jamais|no) \s (?:use|usar|usa|utilize|crie|escreva|cree|escribas?)",
    r"nicht \s (?:mehr \s )?(?:verwenden|benutzen|nutzen|anlegen|hinzufügen|einführen|aufrufen)",
    r"ne \s (?:pas|jamais) \s (?:utiliser|créer)",
    r"wurde \s ersetzt|a \s été \s remplacé|ya \s no \s existe",
    r"\bне \s (?:использ|созда|добавля|возвраща|импортир|объявля|заводи)\w*",
    r"\b(?:сгенерир|генерир|генератор)\w*|\b(?:generiert|erzeugt)(?:e[nrs]?)?\b|\bgénérée?s?\b|\b(?:generad|gerad|generat)[oaie]s?\b"
    r"|\bwygenerowan\w|生成|생성",
)
# What may be any of many.
# "Erstelle den Router in `api/kiln.py`": it may be there, and need not.
EXAMPLE_AFTER = (
    r"\b(?:erstell\w*|créer|créez|crea[rn]?|crie|criar|создай(?:те)?|создать|utwórz|skapa|maak)\s(?:[\w-]+\s){1,4}"
    r"(?:in|unter|im|dans|sous|en|em|nel(?:la)?|в|w|i)(?=\s\0)",
    r"(?:创建|新建)[^\0，。；\n]{1,10}[:：](?=\s?\0)",
)
EXAMPLE = (
    r"\b(?:[pt]\.\s?(?:ej|ex)|f\.\s?eks|ad\ses|np|bspw|bijv|напр)\.|beispielsweise|bijvoorbeeld|chẳng\shạn|misalnya|contoh:",
    r"zum\sbeispiel|\bz\.\s?b\.|например|napríklad|például|наприклад|예:|예를|예컨대|例:|例：|例如|比如|譬如|例えば|たとえば",
    r"ví\sdụ|par\sexemple|por\s(?:ejemplo|exemplo)|na\sprzykład|ad\sesempio|örneğin|ตัวอย่าง|مثال|לדוגמה",
    r"\b(?:till\sexempel|for\seksempel|esimerkiksi|de\sexemplu|například)\b",
)
