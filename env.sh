setup () 
{ 
    mk $1;
    cp ../bk/* $M/;
    intermem -q init > /dev/null;
    git add -A;
    git commit -qm r;
    for t in 01-01 01-02 01-03;
    do
        intermem -q scan --now 2026-$t;
    done
}
