CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, description TEXT, session_type TEXT, working_dir TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER, metadata_json TEXT);
INSERT INTO sessions VALUES ('20260601_1', 'Nets', '', 'user', '/home/ada/nets');
INSERT INTO messages VALUES (1, '20260601_1', 'user', '[{"type":"text","text":"Mend the net"}]', 1790000000, NULL);
INSERT INTO messages VALUES (2, '20260601_1', 'assistant', '[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Mending."},{"type":"toolRequest","id":"c","toolCall":{"status":"success","value":{"name":"developer__shell","arguments":{"command":"mend"}}}}]', 1790000001, NULL);
INSERT INTO messages VALUES (3, '20260601_1', 'user', '[{"type":"toolResponse","id":"c","toolResult":{"status":"success"}}]', 1790000002, NULL);
INSERT INTO messages VALUES (4, '20260601_1', 'user', '[{"type":"text","text":"summary for the model only"}]', 1790000003, '{"userVisible":false}');
INSERT INTO messages VALUES (5, '20260601_1', 'assistant', 'no json', 1790000004, NULL);
INSERT INTO messages VALUES (6, '20260601_1', 'assistant', '[{"type":"text","text":"Mended with size 12 twine."}]', 1790000005, NULL);
