"""The words by which a reason is recognised, in every language that real memories are written in.

English, German, French, Spanish, Portuguese, Italian, Indonesian, Vietnamese, Russian, Chinese, Japanese, Korean. A
word of a script without spaces is searched anywhere; any other is a whole word, and ``*`` stands for its endings.
"""

from __future__ import annotations

from functools import cache, cached_property

from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

WORDS: dict[str, str] = {
    "forbids": """
        never | do not | don't | don’t | must not | mustn't | should not | shouldn't | not allowed
        | no longer use | avoid | forbidden | prohibited | ban | banned | may not | refuse to | stop using
        | nunca | jamás | jamais | não use | não faça | não deve | não pode | proibid* | prohibid* | no usar
        | no debe | evitar | evite | ne pas | n'utilise* pas | interdit* | mai | vietat* | non usare | evitare
        | niemals | nie | nicht verwenden | darf nicht | dürfen nicht | verboten | vermeide* | никогда | нельзя
        | не использ* | не дела* | запрещ* | избега* | không được | không bao giờ | đừng | cấm | tránh
        | tuyệt đối không | jangan | dilarang | tidak boleh | hindari | 禁止 | 不要 | 不能 | 不得 | 不可 | 勿
        | 绝不 | 切勿 | 避免 | 严禁 | 别用 | 禁用 | しない | 避ける | てはいけない | ないこと | 금지 | 하지 말
        | 하지 않 | 말 것 | 안 된다 | 안됨 | 절대
    """,
    "demands": """
        must | always | required | require | requires | mandatory | ensure | make sure | have to | has to
        | needs to | need to | be sure | shall | should | obligatory | remember to | only after | siempre | debe
        | deben | obligatori* | asegura* | hay que | sempre | deve | devem | obrigatóri* | precisa | garantir
        | toujours | doit | doivent | obligatoire* | il faut | s'assurer | devono | bisogna | immer | muss
        | müssen | erforderlich | unbedingt | sicherstellen | soll | sollen | всегда | нужно | надо
        | обязательн* | долж* | необходимо | требует* | phải | luôn | bắt buộc | cần phải | đảm bảo | harus
        | selalu | wajib | pastikan | perlu | 必须 | 务必 | 一定要 | 始终 | 总是 | 应该 | 应当 | 要求 | 确保
        | 需要 | 需先 | 必需 | 一律 | 必ず | 必要 | べき | 常に | こと。 | してください | 반드시 | 항상 | 해야
        | 필수 | 필요 | 할 것 | 무조건
    """,
    "contrast": """
        instead of | rather than | not just | as opposed to | in place of | over the | not the | , not | (not
        | — not | - not | and not | but not | in lieu of | unlike | whereas | versus | vs | en lugar de
        | en vez de | em vez de | ao invés de | au lieu d* | plutôt que | invece di | anziché | statt | anstatt
        | anstelle | nicht mehr | sondern | вместо | а не | thay vì | không phải | chứ không | bukan | alih-alih
        | daripada | 而不是 | 而非 | 不是 | 代替 | ではなく | 代わりに | 대신 | 아니라 | 아닌
    """,
    "reason": """
        because | since | so that | otherwise | or else | as it | due to | which means | that is why | hence
        | therefore | this prevents | to avoid | to prevent | to keep | to ensure | porque | pois | senão
        | ya que | para evitar | de lo contrario | caso contrário | car | parce que | sinon | afin d*
        | pour éviter | perché | altrimenti | weil | da sonst | sonst | damit | denn | um zu | потому | иначе
        | чтобы | так как | из-за | vì | nếu không | để tránh | do đó | karena | agar | supaya | kalau tidak
        | 因为 | 否则 | 由于 | 以免 | 避免 | 导致 | 会导致 | 所以 | 为了 | ため | ないと | なければ | ので
        | 때문 | 않으면 | 위해 | 므로 | 아니면
    """,
    "trap": """
        gotcha* | pitfall* | caveat* | quirk* | trap | careful | beware | warning | watch out | note that
        | workaround | footgun | counterintuitive | surprising* | misleading | subtle | important | critical
        | even if | even though | despite | tricky | silent | silently | unreliable | race condition | race
        | deadlock* | no-op | noop | ignores | ignored | swallow* | stale | leak* | cuidado | ojo | atenção
        | atención | importante | attention | piège* | attenzione | silenciosamente | silencieusement | achtung
        | vorsicht | wichtig | stolperfalle* | внимание | важно | осторожно | ловушк* | lưu ý | chú ý | cẩn thận
        | quan trọng | perhatian | hati-hati | penting | 注意 | 陷阱 | 坑 | 踩坑 | 重要 | 关键 | 静默 | 小心
        | 警告 | 注意点 | 落とし穴 | 주의 | 함정 | 중요 | 핵심 | 조용히 | 무시
    """,
    "breaks": """
        break | breaks | broken | fail | fails | failing | crash | crashes | hang | hangs | corrupt* | lose
        | loses | lost | throws | error | errors | wrong | missing | doesn't work | does not work | won't work
        | not supported | unsupported | can't | cannot | can not | unable | impossible | doesn't | does not
        | won't | isn't | is not | aren't | are not | quebra* | falha* | erro | rompe | falla* | no funciona
        | não funciona | casse | échoue | plante | erreur | rotto | fehler | schlägt fehl | bricht
        | funktioniert nicht | geht nicht | kann nicht | падает | ломает* | ошибк* | не работает | lỗi | hỏng
        | không hoạt động | không thể | gagal | rusak | tidak bisa | 失败 | 报错 | 错误 | 崩溃 | 丢失 | 无法
        | 不会 | 失效 | 卡死 | 异常 | 不支持 | 失敗 | エラー | できない | 壊れ | 실패 | 오류 | 에러 | 깨지
        | 깨진 | 안 됨 | 없음 | 유실
    """,
    "only": """
        only | exclusively | solely | the one place | single source | source of truth | canonical | at most
        | at least | exactly | solo | sólo | só | somente | apenas | único | única | seul* | uniquement
        | soltanto | nur | ausschließlich | только | лишь | chỉ | duy nhất | hanya | satu-satunya | 只 | 仅
        | 唯一 | のみ | だけ | 만 | 유일 | 오직
    """,
    "every": """
        every | each | any | all new | whenever | anything | everything | any new | every new | for all | across
        | cada | todo | toda | todos | todas | cualquier | qualquer | chaque | tout | toute | tous | toutes
        | ogni | tutti | jede* | alle | все | всех | кажд* | любо* | mọi | mỗi | tất cả | setiap | semua | 所有
        | 每个 | 每次 | 任何 | 凡是 | 全部 | 新增 | すべて | 毎回 | 全て | 모든 | 매번 | 모두 | 어떤
    """,
    "condition": """
        when | if | unless | before | after | until | while | during | in case | cuando | si | antes de
        | después de | quando | se | depois de | quand | lorsque | avant | après | prima di | dopo | wenn
        | falls | bevor | nachdem | vor dem | если | когда | перед | после | khi | nếu | trước khi | sau khi
        | ketika | jika | saat | sebelum | setelah | 当 | 如果 | 之前 | 之后 | 前先 | 时， | 时, | 場合 | とき
        | 前に | 後に | 경우 | 때 | 전에 | 후에 | 시
    """,
    "prefers": """
        prefer | prefers | preferred | convention* | standard | naming | style | pattern | principle* | rule
        | rules | policy | guideline* | best practice | by default | default to | stick to | keep | use | uses
        | follow | prefiere | preferir | convención | convenção | padrão | regla | regra | préférer | règle
        | regola | usar | utiliser | bevorzug* | konvention* | regel* | verwende* | nutze | предпочит* | правил*
        | использ* | quy ước | quy tắc | dùng | sử dụng | gunakan | pakai | aturan | 规则 | 规范 | 约定 | 原则
        | 使用 | 优先 | 统一 | 采用 | ルール | 規約 | 原則 | 使う | 優先 | 규칙 | 원칙 | 규약 | 사용 | 우선
        | 통일
    """,
    "doing": """
        todo | to do | next step* | next up | next session | pending | in progress | wip | planned | plan
        | plans | backlog | deferred | remaining | blocked | upcoming | roadmap | milestone* | sprint | phase
        | wave | step | task | tasks | ticket* | priority | next | later | future | will be | open question*
        | pendiente* | pendente* | próximo* | próxima* | siguiente | plano | falta | à faire | prochain* | étape
        | in corso | prossim* | offen | geplant | nächste* | schritt | ausstehend | план* | следующ* | осталось
        | этап | ожида* | kế hoạch | tiếp theo | bước | giai đoạn | đang | rencana | berikutnya | tahap | belum
        | 待办 | 待 | 计划 | 下一步 | 阶段 | 进行中 | 后续 | 未完成 | 任务 | 予定 | 次の | 計画 | 段階 | 未完
        | 예정 | 계획 | 다음 | 단계 | 진행 중 | 진행중 | 미완 | 남은 | 보류
    """,
    "done": """
        done | complete | completed | finished | shipped | delivered | merged | deployed | released | landed
        | passing | passed | green | verified | resolved | closed | approved | live | working | works now
        | fixed in | built | ready | hecho | terminad* | completad* | concluíd* | entregue | pronto | terminé*
        | fini | livré* | fatto | fertig | erledigt | abgeschlossen | готово | завершен* | сделано | выполнен*
        | hoàn thành | xong | đã | selesai | sudah | berhasil | 完成 | 已 | 通过 | 上线 | 发布 | 完了 | 済み
        | 완료 | 배포 | 통과
    """,
    "told": """
        added | fixed | implemented | removed | created | updated | changed | moved | refactored | replaced
        | renamed | found | discovered | tested | wrote | ran | introduced | migrated | converted | extracted
        | reverted | was | were | had | turned out | caused by | root cause | used to | previously | shipped
        | noticed | caught | corrected | asked | said | decided | chose | tried | investigated | confirmed
        | agregad* | añadid* | corregid* | creado | adicionad* | corrigid* | criad* | implementad* | removid*
        | era | foi | foram | fue | fueron | ajouté* | corrigé* | créé* | était | aggiunt* | corrett*
        | hinzugefügt | behoben | umgesetzt | wurde | wurden | war | hatte | добавлен* | исправлен* | создан*
        | реализован* | удален* | был | была | были | thêm | sửa | tạo | ditambahkan | diperbaiki | dibuat
        | 修复 | 新增 | 实现了 | 添加了 | 修改了 | 删除了 | 更新了 | 创建了 | 改为 | 改成 | 了一 | 追加 | 修正
        | 変更 | 削除 | した。 | 추가 | 수정 | 구현 | 삭제 | 변경 | 했다 | 됐다 | 였다 | 했음 | 되었
    """,
    "moment": """
        today | yesterday | tomorrow | currently | current | right now | as of | recently | latest | this week
        | this session | last session | so far | now | temporary | temporarily | for now | ago
        | hoy | ayer | actualmente | actual | hoje | ontem | atualmente | atual | aujourd'hui
        | actuellement | actuel* | oggi | attualmente | heute | gestern | derzeit | aktuell* | zurzeit | сегодня
        | вчера | сейчас | текущ* | hôm nay | hiện tại | hiện | phiên | hari ini | saat ini | sekarang
        | terakhir | 今天 | 昨天 | 目前 | 当前 | 现在 | 本次 | 最近 | 暂时 | 今日 | 現在 | 今回 | 現時点 | 오늘
        | 어제 | 현재 | 이번 | 최근 | 세션 | 당시
    """,
    "person": """
        i | i'm | i've | my | me | we | our | us | you | your | the user | user wants | user prefers
        | user asked | user said | user's | he | she | his | her | yo | mi | el usuario | o usuário | eu | meu
        | minha | nós | vous | l'utilisateur | je | mon | nous | io | mio | l'utente | ich | mein* | wir
        | der nutzer | der user | nutzer | мой | пользовател* | мы | người dùng | tôi | anh | saya | kami
        | pengguna | 用户 | 我 | 我们 | 你 | 他 | ユーザー | 私 | 사용자 | 나는 | 우리 | 유저
    """,
    "points": """
        see | see also | refer to | details in | documented in | full details | more in | described in | véase
        | veja | detalhes em | voir | détails | vedi | siehe | см | подробнее | chi tiết | lihat | 详见 | 参见
        | 参考 | 见 | 参照 | 詳細 | 자세한 | 참고 | 참조 | 관련
    """,
    "describes": """
        contains | includes | including | returns | provides | handles | stores | represents | consists
        | exposes | supports | implements | defines | lists | shows | located | lives in | is a | is the
        | are the | has | have | named | called | based on | built with | written in | consists of | contiene
        | incluye | devuelve | contém | inclui | retorna | contient | comprend | renvoie | enthält | liefert
        | besteht | содержит | включает | возвращает | chứa | bao gồm | trả về | berisi | mengembalikan | 包含
        | 包括 | 返回 | 提供 | 位于 | 负责 | 含む | 返す | 포함 | 반환 | 제공 | 담당 | 위치
    """,
    "perhaps": """
        maybe | might | probably | perhaps | could | consider | idea | ideas | possible | possibly | likely
        | seems | appears | unclear | unknown | tbd | hypothesis | option | options | quizás | talvez | tal vez
        | peut-être | forse | vielleicht | eventuell | возможно | может быть | có thể | mungkin | 可能 | 也许
        | 考虑 | 或许 | 建议 | かもしれ | 検討 | 아마 | 고려 | 가능성 | 검토
    """,
    "refers": """
        these | those | they | above | below | estos | estas | esos | esas | arriba | estes | esses | essas
        | acima | ces | celles | ceux | ci-dessus | diese | dieser | diesen | oben | questi | queste | sopra
        | эти | этих | выше | những | này | tersebut | 这些 | 上述 | 以上 | 它们 | これら | 上記 | 이들 | 위의
    """,
    "relates": """
        separate | separately | independent | independently | its own | their own | distinct | isolated
        | shared | same | identical | separad* | independente* | independiente* | propio | propria | próprio
        | séparé* | propre | getrennt | unabhängig* | eigene* | separat* | отдельн* | независим* | riêng
        | độc lập | terpisah | sendiri | 独立 | 分离 | 分开 | 各自 | 独自 | 別々 | 별도 | 독립 | 분리
    """,
    "self": """
        i | i'm | i've | i'll | i'd | my | myself | me | yo | mi | eu | meu | minha | je | j'ai | mon | io
        | mio | ich | mein* | я | мой | tôi | saya | 我 | 私 | 나는 | 내가
    """,
    "for-now": """
        still | not yet | yet | remains | remain | until then | aún | todavía | ainda | encore
        | toujours pas | noch | ancora | ещё | еще | пока | vẫn | chưa | masih | 还 | 仍 | 尚 | まだ | 아직
        | 여전히
    """,
}


@dataclass(frozen=True, slots=True)
class WordList:
    """The words of one list: whole words, beginnings of words, phrases, and what has no spaces around it."""

    words: frozenset[str]
    stems: tuple[str, ...]
    phrases: tuple[str, ...]
    marks: tuple[str, ...]


@dataclass(frozen=True)
class Words:
    """A text in lower case as words."""

    text: str

    @cached_property
    def each(self) -> tuple[str, ...]:
        return tuple(_WORD.findall(self.text))

    @cached_property
    def distinct(self) -> frozenset[str]:
        return frozenset(self.each)

    @cached_property
    def spaced(self) -> str:
        return f" {' '.join(self.each)} "

    def has(self, name: str) -> bool:
        """Return whether a word of the list ``name`` is in the text."""
        given = word_list(name)
        return (
            not given.words.isdisjoint(self.distinct)
            or any(word.startswith(given.stems) for word in self.distinct)
            or any(phrase in self.spaced for phrase in given.phrases)
            or any(mark in self.text for mark in given.marks)
        )

    def begins(self, name: str) -> bool:
        """Return whether the text begins with a word of the list ``name``."""
        given, first = word_list(name), self.each[0] if self.each else ""
        return (
            first in given.words
            or first.startswith(given.stems)
            or self.spaced.startswith(given.phrases)
            or self.text.lstrip().startswith(given.marks)
        )


_WORD = regex(r"[^\W_]+(?:['’-][^\W_]+)*|[,(—]")


@cache
def word_list(name: str) -> WordList:
    """Return the list ``name``, sorted by how its words are searched."""
    every = {word.strip().casefold() for word in WORDS[name].split("|")} - {""}
    marks = {word for word in every if any(ord(letter) >= 0x2E80 for letter in word)}
    stems = {word[:-1] for word in every - marks if word.endswith("*") and " " not in word}
    phrases = {
        f" {word.removesuffix('*')}" + ("" if word.endswith("*") else " ") for word in every - marks if " " in word
    }
    words = {word for word in every - marks if not word.endswith("*") and " " not in word}
    return WordList(frozenset(words), tuple(sorted(stems)), tuple(sorted(phrases)), tuple(sorted(marks)))
