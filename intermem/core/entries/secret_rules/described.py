"""Words after ``password:`` or ``token is`` that describe a secret and are none."""

from __future__ import annotations

DESCRIBED = frozenset(
    """
    string strings text bytes number integer boolean bool object array varchar optional required mandatory missing
    hashed hash hashes bcrypt argon2 argon2id scrypt pbkdf2 sha256 sha512 sha1 encrypted encryption plaintext plain
    clear cleartext stored saved kept loaded read written passed sent provided given generated created rotated rotates
    expired expires revoked valid invalid wrong incorrect correct empty blank unset default defaults custom same
    different shared unique random changed change changes reset resets updated update deleted delete removed remove
    auth authentication authorization login logout basic bearer oauth oauth2 token tokens secret secrets password
    passwords passwd credential credentials apikey header headers cookie cookies query body field fields form input
    param params parameter session sessions user users username email admin root guest keyring keychain vault
    environment variable variables env config configuration settings setting manager manager's file files folder
    database server client local localhost remote production staging development never always only must should
    needed needs need needing used uses use using available unavailable hidden masked redacted visible shown
    disabled enabled enable disable support supported unsupported policy rules rule length strength minimum maximum
    must have least most more less than your our not you are was has for use its one two per any all how why
    here there this that these those the and with without from into where when what which whose there's
    see below above about after before during either both each every
    checked check checks verified verify validated validation validate handled handling handler handles managed
    protected protection unprotected secure secured insecure safe leaked exposed committed public private
    placeholder example sample dummy value values null none undefined prompt prompts prompted prompting
    signed signing signature refresh access api key keys based flow flows grant grants scope scopes provider providers
    1password bitwarden lastpass dashlane keepass
    helper helpers service services store storage column columns table model type types class function method
    screen page view dialog modal button label icon tab link links endpoint endpoints route routes request requests
    response error errors failure failed fails success ready pending unknown unclear
    postgres postgresql mysql redis mongodb github gitlab google azure aws docker kubernetes supabase firebase
    """.split()  # noqa: SIM905 - a list
)
