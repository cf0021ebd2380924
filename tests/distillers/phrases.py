"""Sentences that people type to an assistant in eight languages, by what they are: one a line."""

PHRASES: dict[str, dict[str, str]] = {
    "de": {
        "standing": """
            Verwende bitte ab sofort nur noch Vitest, Jest fliegt raus.
            Antworte mir künftig immer auf Deutsch.
            Keine Emojis in Commit-Messages, niemals.
            Denk daran, dass vor jedem Push die Tests laufen müssen.
            Wir committen nie direkt auf main.
            Jede neue Funktion braucht einen Test.
            Du sollst in diesem Projekt grundsätzlich keine neuen Abhängigkeiten hinzufügen, ohne zu fragen.
            Bitte frag mich immer, bevor du eine Datei löschst.
            In unserem Team schreiben wir Kommentare ausschließlich auf Englisch.
            Ab jetzt bitte immer pnpm statt npm benutzen.
        """,
        "decision": """
            Wir haben uns für Postgres entschieden.
            Dann machen wir das mit Variante B und Redis.
            Ok, wir bleiben bei SQLite, das reicht für den Anfang.
            Lass uns FastAPI nehmen.
            Ich habe mich entschieden: wir nutzen Tailwind.
        """,
        "preference": """
            Ich bevorzuge kurze Antworten ohne Einleitung.
            Mir sind kleine Commits lieber als große.
            Ich mag keine Einzeiler.
        """,
        "plan": """
            Im Herbst wollen wir auf Kubernetes umziehen.
            Bis Ende März soll die alte API abgeschaltet werden.
            Geplant ist, dass wir nächsten Monat live gehen.
        """,
        "problem": """
            Der Login funktioniert seit heute Morgen nicht mehr.
            Beim Start kommt immer ein TypeError, obwohl die Datei da ist.
            Die Bilder werden doppelt hochgeladen.
        """,
        "fact": """
            Unsere Datenbank läuft auf db01 mit Postgres 16.
            Ich bin der einzige Backend-Entwickler im Team.
            Wir nutzen Jira für die Tickets.
        """,
    },
    "nl": {
        "standing": """
            Gebruik vanaf nu alleen nog Vitest, Jest gaat eruit.
            Antwoord voortaan altijd in het Nederlands.
            Nooit emoji's in commitberichten.
            Onthoud dat voor elke push de tests moeten draaien.
            We committen nooit direct op main.
            Elke nieuwe functie moet een test hebben.
            Vraag het me altijd voordat je een bestand verwijdert.
            In ons team schrijven we commentaar alleen in het Engels.
            Graag voortaan pnpm in plaats van npm gebruiken.
        """,
        "decision": """
            We hebben voor Postgres gekozen.
            Laten we FastAPI gebruiken.
            Oké, we blijven bij SQLite, dat is genoeg voor nu.
            Dan doen we het met variant B en Redis.
            We gaan voor Tailwind.
        """,
        "preference": """
            Ik heb liever korte antwoorden zonder inleiding.
            Ik hou niet van one-liners.
            Kleine commits hebben mijn voorkeur.
        """,
        "plan": """
            In het najaar willen we naar Kubernetes verhuizen.
            Eind maart moet de oude API uit.
            Het plan is dat we volgende maand live gaan.
        """,
        "problem": """
            Het inloggen werkt sinds vanochtend niet meer.
            Bij het opstarten krijg ik steeds een TypeError.
            De afbeeldingen worden dubbel geüpload.
        """,
        "fact": """
            Onze database draait op db01 met Postgres 16.
            Ik ben de enige backend-ontwikkelaar in het team.
            We gebruiken Jira voor de tickets.
        """,
    },
    "fr": {
        "standing": """
            Désormais utilise uniquement Vitest, on abandonne Jest.
            Réponds-moi toujours en français.
            Jamais d'emoji dans les messages de commit.
            N'oublie pas que les tests doivent passer avant chaque push.
            On ne commit jamais directement sur main.
            Chaque nouvelle fonction doit avoir un test.
            Demande-moi toujours avant de supprimer un fichier.
            Dans notre équipe, on écrit les commentaires uniquement en anglais.
            Ne touche jamais au dossier legacy.
            Merci de toujours utiliser pnpm plutôt que npm.
        """,
        "decision": """
            On a choisi Postgres.
            On va utiliser FastAPI.
            Ok, on reste sur SQLite, ça suffit pour l'instant.
            Finalement on part sur l'option B avec Redis.
            J'ai décidé de garder Tailwind.
        """,
        "preference": """
            Je préfère des réponses courtes sans introduction.
            J'aime pas les one-liners.
            Je n'aime pas les gros commits.
        """,
        "plan": """
            Cet automne on veut migrer vers Kubernetes.
            D'ici fin mars on doit couper l'ancienne API.
            Le plan est de passer en production le mois prochain.
        """,
        "problem": """
            La connexion ne marche plus depuis ce matin.
            Au démarrage j'ai toujours une TypeError.
            Les images sont envoyées en double.
        """,
        "fact": """
            Notre base de données tourne sur db01 avec Postgres 16.
            Je suis le seul développeur backend de l'équipe.
            On utilise Jira pour les tickets.
        """,
    },
    "es": {
        "standing": """
            De ahora en adelante usa solo Vitest, Jest se va.
            Respóndeme siempre en español.
            Nada de emojis en los mensajes de commit, nunca.
            Recuerda que antes de cada push tienen que pasar los tests.
            Nunca hacemos commit directamente en main.
            Cada función nueva debe tener un test.
            Pregúntame siempre antes de borrar un archivo.
            En nuestro equipo escribimos los comentarios solo en inglés.
            No uses npm nunca, siempre pnpm.
            Siempre que toques la API, actualiza el changelog.
        """,
        "decision": """
            Hemos elegido Postgres.
            Vamos a usar FastAPI.
            Vale, nos quedamos con SQLite, por ahora basta.
            Al final vamos con la opción B y Redis.
            He decidido mantener Tailwind.
        """,
        "preference": """
            Prefiero respuestas cortas sin introducción.
            No me gustan los one-liners.
            Me gustan más los commits pequeños.
        """,
        "plan": """
            En otoño queremos migrar a Kubernetes.
            Antes de final de marzo vamos a apagar la API vieja.
            El plan es salir a producción el mes que viene.
        """,
        "problem": """
            El login no funciona desde esta mañana.
            Al arrancar me da siempre un TypeError.
            Las imágenes se suben duplicadas.
        """,
        "fact": """
            Nuestra base de datos está en db01 con Postgres 16.
            Soy el único desarrollador de backend del equipo.
            Usamos Jira para los tickets.
        """,
    },
    "pt": {
        "standing": """
            A partir de agora use só o Vitest, o Jest vai sair.
            Me responda sempre em português.
            Nunca coloque emojis nas mensagens de commit.
            Lembre que antes de cada push os testes têm que passar.
            A gente nunca faz commit direto na main.
            Toda função nova precisa ter um teste.
            Sempre me pergunte antes de apagar um arquivo.
            No nosso time escrevemos comentários só em inglês.
            Não use npm nunca, sempre pnpm.
            Quando mexer na API, sempre atualize o changelog.
        """,
        "decision": """
            Escolhemos o Postgres.
            Vamos usar FastAPI.
            Ok, vamos ficar com SQLite, por enquanto basta.
            No fim vamos com a opção B e Redis.
            Decidi manter o Tailwind.
        """,
        "preference": """
            Prefiro respostas curtas sem introdução.
            Não gosto de one-liners.
            Gosto mais de commits pequenos.
        """,
        "plan": """
            No segundo semestre queremos migrar para Kubernetes, provavelmente em setembro.
            Até o fim de março vamos desligar a API antiga.
            O plano é ir para produção no mês que vem.
        """,
        "problem": """
            O login não funciona desde hoje de manhã.
            Ao iniciar sempre dá um TypeError.
            As imagens estão sendo enviadas duplicadas.
        """,
        "fact": """
            Nosso banco de dados fica no db01 com Postgres 16.
            Sou o único desenvolvedor backend do time.
            Usamos o Jira para os tickets.
        """,
    },
    "zh": {
        "standing": """
            从现在起只用 Vitest，不要再用 Jest。
            请始终用中文回答我。
            提交信息里永远不要用表情符号。
            记住，每次 push 之前都要先跑测试。
            我们从不直接提交到 main 分支。
            每个新函数都必须有测试。
            删除文件之前一定要先问我。
            我们团队的注释一律用英文写。
            以后用 pnpm，不要用 npm。
            不要随便加新的依赖，要加先问我。
        """,
        "decision": """
            我们决定用 Postgres。
            那就用 FastAPI 吧。
            好，先用 SQLite，现在够用了。
            最后还是选方案 B 加 Redis。
            我决定保留 Tailwind。
        """,
        "preference": """
            我喜欢简短的回答，不要开场白。
            我不喜欢一行写完的代码。
            我更倾向于小的提交。
        """,
        "plan": """
            秋天我们打算迁移到 Kubernetes。
            三月底之前要把旧接口下线。
            计划是下个月上线。
        """,
        "problem": """
            登录功能从今天早上开始不能用了。
            启动的时候总是报 TypeError。
            图片被重复上传了。
        """,
        "fact": """
            我们的数据库跑在 db01 上，版本是 Postgres 16。
            我是团队里唯一的后端开发。
            我们用 Jira 管理任务。
        """,
    },
    "ja": {
        "standing": """
            これからは Vitest だけを使ってください。Jest はもう使いません。
            回答は常に日本語でお願いします。
            コミットメッセージに絵文字は絶対に使わないでください。
            プッシュする前に必ずテストを実行すること。
            main に直接コミットするのは禁止です。
            新しい関数には必ずテストを付けてください。
            ファイルを削除する前に必ず確認してください。
            うちのチームではコメントは英語だけで書きます。
            npm ではなく、今後は pnpm を使って。
            毎回 changelog も更新してね。
        """,
        "decision": """
            Postgres に決めました。
            FastAPI でいきましょう。
            とりあえず SQLite のままにします。
            案 B と Redis を採用することにしました。
            Tailwind を使い続けることに決定しました。
        """,
        "preference": """
            前置きのない短い回答が好きです。
            ワンライナーは苦手です。
            小さいコミットの方が好みです。
        """,
        "plan": """
            秋に Kubernetes へ移行する予定です。
            3月末までに旧 API を廃止する予定です。
            来月リリースするつもりです。
        """,
        "problem": """
            今朝からログインできません。
            起動するといつも TypeError が出ます。
            画像が二重にアップロードされます。
        """,
        "fact": """
            うちのデータベースは db01 の Postgres 16 です。
            私はチームで唯一のバックエンド担当です。
            チケット管理は Jira を使っています。
        """,
    },
    "ko": {
        "standing": """
            이제부터 Vitest만 써 주세요. Jest는 뺄 거예요.
            답변은 항상 한국어로 해 줘.
            커밋 메시지에 이모지는 절대 쓰지 마.
            푸시하기 전에 반드시 테스트를 돌려 주세요.
            main 브랜치에 직접 커밋하면 안 돼요, 절대로.
            새 함수에는 꼭 테스트를 추가해 주세요.
            파일을 삭제하기 전에 항상 나한테 물어봐.
            우리 팀은 주석을 영어로만 써요.
            앞으로는 npm 말고 pnpm을 써 줘.
            API를 바꿀 때마다 changelog도 업데이트해 주세요.
        """,
        "decision": """
            Postgres를 쓰기로 했어요.
            FastAPI로 갑시다.
            일단 SQLite를 유지하자.
            B안이랑 Redis로 결정했습니다.
            Tailwind는 그대로 쓰기로 결정했어.
        """,
        "preference": """
            저는 서론 없는 짧은 답변을 좋아해요.
            원라이너는 싫어해.
            작은 커밋을 선호합니다.
        """,
        "plan": """
            가을에 쿠버네티스로 이전할 계획이에요.
            3월 말까지 기존 API를 중단할 예정입니다.
            다음 달에 출시하려고 해요.
        """,
        "problem": """
            오늘 아침부터 로그인이 안 돼요.
            시작할 때마다 TypeError가 나요.
            이미지가 중복으로 업로드돼요.
        """,
        "fact": """
            우리 데이터베이스는 db01에서 Postgres 16으로 돌아가요.
            저는 팀에서 유일한 백엔드 개발자예요.
            티켓 관리는 Jira를 써요.
        """,
    },
}
