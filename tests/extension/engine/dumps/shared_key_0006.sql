BEGIN TRANSACTION;
CREATE TABLE accounts (
	id INTEGER NOT NULL, 
	pool_id INTEGER NOT NULL, 
	source VARCHAR(32) NOT NULL, 
	fingerprint VARCHAR(1024) NOT NULL, 
	auth_index TEXT NOT NULL, 
	gateway_id TEXT NOT NULL, 
	family VARCHAR(32) NOT NULL, 
	display_name TEXT NOT NULL, 
	provider TEXT NOT NULL, 
	label TEXT NOT NULL, 
	compat_name TEXT NOT NULL, 
	base_url TEXT NOT NULL, 
	file_name TEXT NOT NULL, 
	first_seen_at BIGINT NOT NULL, never_probe BOOLEAN DEFAULT 0 NOT NULL, managed BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_accounts PRIMARY KEY (id), 
	CONSTRAINT fk_accounts_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id), 
	CONSTRAINT uq_accounts_pool_id_source_fingerprint UNIQUE (pool_id, source, fingerprint)
);
INSERT INTO "accounts" VALUES(1,1,'api_key','b2d5368648d4f062b18879073a2c7e004e3113b1fdbc0f466edfa50a7f772843','2fbdb50dfb2321d8','claude:apikey:••••','vendor-b-apikey','claude-apikey','claude','claude-apikey','','http://shared.example','',1700000000000,0,0);
INSERT INTO "accounts" VALUES(2,1,'api_key','bc9f7502daf5c0ce73264e3c693158ca0fcb7ba7e2679c0f52c496a19d142ddc','49eb292980eda641','claude:apikey:••••','vendor-b-apikey','claude-apikey','claude','claude-apikey','','http://single.example','',1700000000000,0,0);
CREATE TABLE actions (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	pool_id INTEGER NOT NULL, 
	account_id INTEGER NOT NULL, 
	run_id INTEGER, 
	display_name TEXT NOT NULL, 
	action VARCHAR(32) NOT NULL, 
	outcome VARCHAR(32) NOT NULL, 
	text TEXT NOT NULL, 
	actor TEXT NOT NULL, 
	actor_kind VARCHAR(32) NOT NULL, 
	reason TEXT NOT NULL, 
	evidence JSON NOT NULL, 
	"before" JSON NOT NULL, 
	"after" JSON, 
	at BIGINT NOT NULL, 
	settled_at BIGINT, cause VARCHAR(32) DEFAULT 'request' NOT NULL, undoes INTEGER, 
	CONSTRAINT fk_actions_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id), 
	CONSTRAINT fk_actions_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id), 
	CONSTRAINT fk_actions_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id)
);
INSERT INTO "actions" VALUES(1,1,1,1,'claude-apikey','disable','applied','2 of its 3 entries: Disabled (verified).','anna','automation','Invalid key (HTTP 401).','{"result": 1, "run": 1, "verdict": "invalid_key", "status": 401, "at": 1700000000000}','{"present": true, "enabled": true, "entries": [{"name": "claude-api-key:\u2022\u2022\u2022\u2022", "enabled": true}, {"name": "claude-api-key:\u2022\u2022\u2022\u2022", "enabled": true}, {"name": "claude-api-key:\u2022\u2022\u2022\u2022", "enabled": false}], "written": [{"name": "claude-api-key:\u2022\u2022\u2022\u2022", "place": "0f17d479c7e1728e", "enabled": true, "excludedModels": [], "switchWritten": false, "back": ""}, {"name": "claude-api-key:\u2022\u2022\u2022\u2022", "place": "659e558edb4a3296", "enabled": true, "excludedModels": [], "switchWritten": false, "back": ""}]}','{"present": true, "enabled": false, "entries": [{"name": "claude-api-key:\u2022\u2022\u2022\u2022", "enabled": false}, {"name": "claude-api-key:\u2022\u2022\u2022\u2022", "enabled": false}, {"name": "claude-api-key:\u2022\u2022\u2022\u2022", "enabled": false}]}',1700000000000,1700000000000,'run',NULL);
INSERT INTO "actions" VALUES(2,1,2,1,'claude-apikey','disable','applied','Disabled (verified).','anna','automation','Invalid key (HTTP 401).','{"result": 2, "run": 1, "verdict": "invalid_key", "status": 401, "at": 1700000000000}','{"present": true, "enabled": true, "entries": [{"name": "claude-api-key:\u2022\u2022\u2022\u2022", "enabled": true}], "written": [{"name": "claude-api-key:\u2022\u2022\u2022\u2022", "place": "54a41155d7649a7a", "enabled": true, "excludedModels": [], "switchWritten": false, "back": ""}]}','{"present": true, "enabled": false, "entries": [{"name": "claude-api-key:\u2022\u2022\u2022\u2022", "enabled": false}]}',1700000000000,1700000000000,'run',NULL);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0006');
CREATE TABLE deliveries (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	pool_id INTEGER NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	run_id INTEGER, 
	at BIGINT NOT NULL, 
	taken BOOLEAN NOT NULL, 
	attempts INTEGER NOT NULL, 
	problem TEXT NOT NULL, 
	CONSTRAINT fk_deliveries_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
);
CREATE TABLE events (
	seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	at BIGINT NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	run_id INTEGER, 
	data JSON NOT NULL, 
	CONSTRAINT fk_events_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id)
);
INSERT INTO "events" VALUES(1,1700000000000,'pool',NULL,'{}');
INSERT INTO "events" VALUES(2,1700000000000,'run.state',1,'{"run": 1, "state": "queued", "done": 0, "total": 2, "reason": ""}');
INSERT INTO "events" VALUES(3,1700000000000,'run.state',1,'{"run": 1, "state": "running", "done": 0, "total": 2, "reason": ""}');
INSERT INTO "events" VALUES(4,1700000000000,'result',1,'{"run": 1, "seqs": [1, 2]}');
INSERT INTO "events" VALUES(5,1700000000000,'run.progress',1,'{"run": 1, "done": 2, "total": 2, "verdicts": {"invalid_key": 2}, "recommendations": {"disable": 2}}');
INSERT INTO "events" VALUES(6,1700000000000,'action',1,'{"ids": [1, 2]}');
INSERT INTO "events" VALUES(7,1700000000000,'action',NULL,'{"ids": [1, 2]}');
INSERT INTO "events" VALUES(8,1700000000000,'pool',NULL,'{}');
INSERT INTO "events" VALUES(9,1700000000000,'run.state',1,'{"run": 1, "state": "finished", "done": 2, "total": 2, "reason": ""}');
CREATE TABLE held (
	id INTEGER NOT NULL, 
	run_id INTEGER NOT NULL, 
	account_id INTEGER NOT NULL, 
	action VARCHAR(32) NOT NULL, 
	reason TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	released_at BIGINT, 
	CONSTRAINT pk_held PRIMARY KEY (id), 
	CONSTRAINT fk_held_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id), 
	CONSTRAINT fk_held_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id), 
	CONSTRAINT uq_held_run_id_account_id UNIQUE (run_id, account_id)
);
CREATE TABLE pools (
	id INTEGER NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_pools PRIMARY KEY (id), 
	CONSTRAINT uq_pools_name UNIQUE (name)
);
INSERT INTO "pools" VALUES(1,'default',1700000000000);
CREATE TABLE results (
	seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	run_id INTEGER NOT NULL, 
	account_id INTEGER NOT NULL, 
	account_source VARCHAR(32) NOT NULL, 
	family VARCHAR(32) NOT NULL, 
	display_name TEXT NOT NULL, 
	provider TEXT NOT NULL, 
	base_url TEXT NOT NULL, 
	enabled BOOLEAN, 
	verdict VARCHAR(32) NOT NULL, 
	action VARCHAR(32) NOT NULL, 
	reason TEXT NOT NULL, 
	status INTEGER, 
	latency_ms INTEGER, 
	attempts JSON NOT NULL, 
	preview TEXT NOT NULL, 
	headers JSON NOT NULL, 
	at BIGINT NOT NULL, revisions JSON DEFAULT '[]' NOT NULL, windows JSON DEFAULT '[]' NOT NULL, resets_at BIGINT, 
	CONSTRAINT fk_results_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id), 
	CONSTRAINT fk_results_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id), 
	CONSTRAINT uq_results_run_id_account_id UNIQUE (run_id, account_id)
);
INSERT INTO "results" VALUES(1,1,1,'api_key','vendor-b-apikey','claude-apikey','claude','http://shared.example',1,'invalid_key','disable','Invalid key (HTTP 401).',401,10,'[{"method": "POST", "url": "http://shared.example/v1/messages", "status": 401, "latency_ms": 10, "problem": ""}]','{"object":"list","data":[{"id":"demo-model"}]}','{"content-type": "application/json"}',1700000000000,'["e62ddf8b1e41912a5d9b7d7aad07aff1", "c63139dca611f8f3544ba740a804d7ad", "ddc1e0a04e815a7a379a6da9095079d7"]','[]',NULL);
INSERT INTO "results" VALUES(2,1,2,'api_key','vendor-b-apikey','claude-apikey','claude','http://single.example',1,'invalid_key','disable','Invalid key (HTTP 401).',401,10,'[{"method": "POST", "url": "http://single.example/v1/messages", "status": 401, "latency_ms": 10, "problem": ""}]','{"object":"list","data":[{"id":"demo-model"}]}','{"content-type": "application/json"}',1700000000000,'["326685caa793d452cfd7b03053e361b8"]','[]',NULL);
CREATE TABLE run_accounts (
	run_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	account_id INTEGER NOT NULL, 
	CONSTRAINT pk_run_accounts PRIMARY KEY (run_id, position), 
	CONSTRAINT fk_run_accounts_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id), 
	CONSTRAINT fk_run_accounts_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id), 
	CONSTRAINT uq_run_accounts_run_id_account_id UNIQUE (run_id, account_id)
);
INSERT INTO "run_accounts" VALUES(1,0,1);
INSERT INTO "run_accounts" VALUES(1,1,2);
CREATE TABLE runs (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	pool_id INTEGER NOT NULL, 
	state VARCHAR(32) NOT NULL, 
	account_source VARCHAR(32) NOT NULL, 
	target_type VARCHAR(32) NOT NULL, 
	settings JSON NOT NULL, 
	total INTEGER NOT NULL, 
	done INTEGER NOT NULL, 
	verdicts JSON NOT NULL, 
	recommendations JSON NOT NULL, 
	started_at BIGINT NOT NULL, 
	finished_at BIGINT, 
	started_by TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	gateway_call_us BIGINT, 
	owner VARCHAR(64) NOT NULL, schedule_id INTEGER, 
	CONSTRAINT fk_runs_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
);
INSERT INTO "runs" VALUES(1,1,'finished','api_key','all','{"accountSource": "api_key", "targetType": "all", "apiKeyFamily": "all", "providerFilter": "", "probeModel": "", "probePromptMode": "fixed", "modelsPath": "auto", "autoActionMode": "disable", "realtimeAutoActions": {"disable": true, "enable": true, "delete": false}, "decisionPolicy": "first_phase", "onQuota": "keep", "onServerError": "keep", "workers": 32, "timeoutSeconds": 15, "retries": 1, "hostLimit": 0, "sampleSize": 0, "evidenceFirst": false, "shortWindowPercent": 100, "longWindowPercent": 100, "brake": true, "brakeShare": 0.5, "brakeMinimum": 20, "familyDefaultAddress": false, "previewCharacters": 280}',2,2,'{"invalid_key": 2}','{"disable": 2}',1700000000000,1700000000000,'anna','',0,'abc8cedffa0c070988b1ec5054a30779',NULL);
CREATE TABLE schedules (
	id INTEGER NOT NULL, 
	pool_id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	enabled BOOLEAN NOT NULL, 
	interval_minutes INTEGER NOT NULL, 
	jitter_minutes INTEGER NOT NULL, 
	settings JSON NOT NULL, 
	next_at BIGINT NOT NULL, 
	last_at BIGINT, 
	last_run INTEGER, 
	problem TEXT NOT NULL, 
	saved_by TEXT NOT NULL, 
	saved_at BIGINT NOT NULL, 
	CONSTRAINT pk_schedules PRIMARY KEY (id), 
	CONSTRAINT fk_schedules_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
);
CREATE TABLE warnings (
	id INTEGER NOT NULL, 
	pool_id INTEGER NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	subject VARCHAR(512) NOT NULL, 
	text TEXT NOT NULL, 
	first_at BIGINT NOT NULL, 
	last_at BIGINT NOT NULL, 
	times INTEGER NOT NULL, 
	CONSTRAINT pk_warnings PRIMARY KEY (id), 
	CONSTRAINT fk_warnings_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id), 
	CONSTRAINT uq_warnings_pool_id_kind_subject UNIQUE (pool_id, kind, subject)
);
CREATE UNIQUE INDEX uq_runs_active ON runs (pool_id) WHERE state IN ('queued', 'running', 'paused', 'finishing', 'stopping');
CREATE INDEX ix_results_account_id_seq ON results (account_id, seq);
CREATE INDEX ix_results_run_id_seq ON results (run_id, seq);
CREATE INDEX ix_actions_account_id_id ON actions (account_id, id);
CREATE INDEX ix_actions_pool_id_outcome ON actions (pool_id, outcome);
CREATE INDEX ix_events_run_id_seq ON events (run_id, seq);
CREATE INDEX ix_actions_run_id ON actions (run_id);
CREATE INDEX ix_actions_undoes ON actions (undoes);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('events',9);
INSERT INTO "sqlite_sequence" VALUES('runs',1);
INSERT INTO "sqlite_sequence" VALUES('results',2);
INSERT INTO "sqlite_sequence" VALUES('actions',2);
COMMIT;
