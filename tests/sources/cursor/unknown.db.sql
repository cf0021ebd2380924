CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
INSERT INTO blobs VALUES ('r', x'00ff00ff');
INSERT INTO meta VALUES ('0', 'not hexadecimal');
