"""Words that say nothing of what a question in another language than English is about.

They stand in the index, and only a question in their language is asked without them: "die" is a word in English.
Standard library only, because the cold client asks too; read when a question is no plain English.
"""

STOP_WORDS = {
    "de": """
        aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da damit dann das dass dazu
        dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine
        einem einen einer eines er es etwas euch für hab habe haben hast hat hatte hatten hier ich ihm ihn ihr ihre im
        in ist ja jetzt kann kannst können könnte man mein meine mich mir mit nach noch nun nur ob oder schon sein seine
        sich sie sind so soll sollte über um und uns unser unsere unserem unseren unserer von vom war waren warum was
        weil welche welchem welchen welcher welches wenn wer werden wie wieso wir wird wo wurde wurden zu zum zur
    """,
    "nl": """
        aan al alle als ben bij daar dan dat de der deze die dit door een en er haar had hadden heb hebben heeft hem het
        hier hij hoe hun ik in is je jij jou jouw kan kun kunnen maar mag me men met mij mijn moet moeten na naar nog nu
        of om omdat onder ons onze ook op over te ten toch toen tot u uit uw van voor waar waarom wanneer waren was wat
        we welk welke werd wie wij wil worden wordt zal ze zich zij zijn zo zou zouden
    """,
    "fr": """
        ai au aux avec avez avons c ce ces cet cette ceux comme comment d dans de des donc du elle elles en es est et
        été eu fait font il ils j je l la le les leur leurs lui m ma mais me mes moi mon n nos notre nous on ont ou où
        par pas peut pour pourquoi puis qu quand que quel quelle quelles quels qui quoi s sa se ses si son sont sur t
        ta te tes toi ton tu un une vos votre vous y
    """,
    "es": """
        a al algo ante con como cómo cual cuál cuando cuándo de del desde donde dónde e el él ella ellas ellos en entre
        era es esa ese eso esta está están estas este esto estos fue ha hacer hacia han has hasta hay he la las le les
        lo los más me mi mis mucho muy nos nosotros nuestra nuestras nuestro nuestros o os para pero por porque qué que
        quién se ser si sin sobre son su sus también te tiene tu tus un una uno unos y ya yo
    """,
    "pt": """
        a ao aos aquele aquilo as até com como da das de dela dele depois do dos e é ela elas ele eles em era essa esse
        está estão este estou eu foi foram há isso isto já lhe mais mas me meu meus minha minhas muito na não nas nem no
        nos nós nossa nossas nosso nossos num o onde os ou para pela pelas pelo pelos por porque porquê pra qual quais
        quando que quem são se seja sem ser seu seus só sua suas também te tem têm um uma você vocês
    """,
}
# Pairs of characters that hold a question together in scripts without spaces.
STOP_PAIRS = frozenset(
    """
    我们 你们 他们 什么 为什 怎么 么用 这个 那个 一个 可以 是不 是什 有什 哪个 哪里 的是 了吗 么样
    です ます した して いる ある ませ せん くだ ださ さい から まで これ それ どう どこ なぜ ので けど でし しょ
    うか ょう
    습니 니다 어요 해요 세요 예요 이에 있어 있습 하는 어떻 떻게 무엇 우리 왜요 나요 까요 주세
    """.split()  # noqa: SIM905 - as words it can be read
)
