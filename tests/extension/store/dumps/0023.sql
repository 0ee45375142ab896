BEGIN TRANSACTION;
CREATE TABLE "accounts" (
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
	first_seen_at BIGINT NOT NULL, 
	never_probe BOOLEAN DEFAULT 0 NOT NULL, 
	managed BOOLEAN DEFAULT 0 NOT NULL, 
	section VARCHAR(32) DEFAULT '' NOT NULL, 
	discriminator VARCHAR(64) DEFAULT '' NOT NULL, 
	identical INTEGER DEFAULT 1 NOT NULL, 
	owned_after INTEGER DEFAULT 0 NOT NULL, key_hint TEXT DEFAULT '' NOT NULL, place TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_accounts PRIMARY KEY (id), 
	CONSTRAINT fk_accounts_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id), 
	CONSTRAINT uq_accounts_identity UNIQUE (pool_id, source, section, compat_name, fingerprint, discriminator)
);
INSERT INTO "accounts" VALUES(1,1,'api_key','f1','0123456789abcdef','openai-compatibility:demo:1','compat','Demo','openai-compatible-demo','','demo','http://127.0.0.1:9','',1700000000001,0,0,'','unsplit',1,0,'','');
INSERT INTO "accounts" VALUES(2,1,'oauth','anna.json','0123456789abcdef','openai-compatibility:demo:1','','anna.json','codex','','','','anna.json',1700000000001,0,1,'','',1,0,'','');
CREATE TABLE "actions" (
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
	settled_at BIGINT, 
	cause VARCHAR(32) DEFAULT 'request' NOT NULL, 
	undoes INTEGER, 
	batch_id INTEGER, 
	key_hint TEXT DEFAULT ('') NOT NULL, 
	place TEXT DEFAULT ('') NOT NULL, 
	reasons JSON DEFAULT '[]' NOT NULL, 
	texts JSON DEFAULT '[]' NOT NULL, 
	CONSTRAINT fk_actions_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id), 
	CONSTRAINT fk_actions_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id), 
	CONSTRAINT fk_actions_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
);
INSERT INTO "actions" VALUES(1,1,1,1,'Demo','disable','applied','Disabled, and read back.','anna','person','broken','{"result": 1, "run": 1, "verdict": "invalid_key", "status": 401, "at": 1700000001501}','{"present": true, "enabled": true}','{"present": true, "enabled": false}',1700000003000,1700000003100,'request',NULL,NULL,'','','[]','[]');
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0023');
CREATE TABLE api_key_aliases (
	fingerprint VARCHAR(64) NOT NULL, 
	alias VARCHAR(100) NOT NULL, 
	set_by TEXT NOT NULL, 
	set_at BIGINT NOT NULL, 
	CONSTRAINT pk_api_key_aliases PRIMARY KEY (fingerprint), 
	CONSTRAINT uq_api_key_aliases_alias UNIQUE (alias)
);
CREATE TABLE batches (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	pool_id INTEGER NOT NULL, 
	run_id INTEGER, 
	cause VARCHAR(32) NOT NULL, 
	actor TEXT NOT NULL, 
	actor_kind VARCHAR(32) NOT NULL, 
	state VARCHAR(32) NOT NULL, 
	reason TEXT NOT NULL, 
	total INTEGER NOT NULL, 
	done INTEGER NOT NULL, 
	planned JSON NOT NULL, 
	outcomes JSON NOT NULL, 
	at BIGINT NOT NULL, 
	ended_at BIGINT, reasons JSON DEFAULT '[]' NOT NULL, 
	CONSTRAINT fk_batches_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
);
CREATE TABLE deliveries (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	pool_id INTEGER NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	run_id INTEGER, 
	at BIGINT NOT NULL, 
	taken BOOLEAN NOT NULL, 
	attempts INTEGER NOT NULL, 
	problem TEXT NOT NULL, channel INTEGER, 
	CONSTRAINT fk_deliveries_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
);
INSERT INTO "deliveries" VALUES(1,1,'inspection.changed',1,1700000002500,1,1,'',NULL);
CREATE TABLE events (
	seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	at BIGINT NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	run_id INTEGER, 
	data JSON NOT NULL, 
	CONSTRAINT fk_events_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id)
);
INSERT INTO "events" VALUES(1,1700000003100,'action',NULL,'{"ids": [1]}');
INSERT INTO "events" VALUES(2,1700000002000,'run.progress',1,'{"run": 1, "done": 2, "total": 2, "verdicts": {"invalid_key": 1, "healthy": 1}, "recommendations": {"disable": 1, "keep": 1}}');
CREATE TABLE held (
	id INTEGER NOT NULL, 
	run_id INTEGER NOT NULL, 
	account_id INTEGER NOT NULL, 
	action VARCHAR(32) NOT NULL, 
	reason TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	released_at BIGINT, host TEXT DEFAULT '' NOT NULL, code VARCHAR(32) DEFAULT '' NOT NULL, params JSON DEFAULT '{}' NOT NULL, 
	CONSTRAINT pk_held PRIMARY KEY (id), 
	CONSTRAINT fk_held_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id), 
	CONSTRAINT fk_held_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id), 
	CONSTRAINT uq_held_run_id_account_id UNIQUE (run_id, account_id)
);
INSERT INTO "held" VALUES(1,1,1,'disable','It is held.',1700000002000,NULL,'','','{}');
CREATE TABLE installations (
	mark VARCHAR(64) NOT NULL, 
	made_at BIGINT NOT NULL, 
	CONSTRAINT pk_installations PRIMARY KEY (mark)
);
CREATE TABLE leases (
	name VARCHAR(32) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	address TEXT NOT NULL, 
	epoch BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	CONSTRAINT pk_leases PRIMARY KEY (name)
);
CREATE TABLE model_prices (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	provider VARCHAR(100) NOT NULL, 
	model VARCHAR(200) NOT NULL, 
	service_tier VARCHAR(32) NOT NULL, 
	valid_from DATE, 
	rates JSON NOT NULL, 
	source VARCHAR(32) NOT NULL, 
	note TEXT NOT NULL, 
	set_by TEXT NOT NULL, 
	set_at BIGINT NOT NULL
);
INSERT INTO "model_prices" VALUES(1,'','house','standard',NULL,'{"input": {"amount": "2", "per": 1000000}}','override','contract','anna',1787392800000);
CREATE TABLE pools (
	id INTEGER NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	created_at BIGINT NOT NULL, notified_seq BIGINT, automation_paused_at BIGINT, automation_paused_by TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_pools PRIMARY KEY (id), 
	CONSTRAINT uq_pools_name UNIQUE (name)
);
INSERT INTO "pools" VALUES(1,'default',1700000000000,NULL,NULL,'');
CREATE TABLE "results" (
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
	at BIGINT NOT NULL, 
	revisions JSON DEFAULT '[]' NOT NULL, 
	windows JSON DEFAULT '[]' NOT NULL, 
	resets_at BIGINT, 
	probed_with INTEGER, 
	route VARCHAR(64) DEFAULT ('') NOT NULL, 
	key_hint TEXT DEFAULT ('') NOT NULL, 
	place TEXT DEFAULT ('') NOT NULL, 
	reasons JSON DEFAULT '[]' NOT NULL, 
	CONSTRAINT fk_results_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id), 
	CONSTRAINT fk_results_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id), 
	CONSTRAINT uq_results_run_id_account_id UNIQUE (run_id, account_id)
);
INSERT INTO "results" VALUES(1,1,1,'api_key','compat','Demo','openai-compatible-demo','http://127.0.0.1:9',1,'invalid_key','disable','It was found so.',401,12,'[{"method": "GET", "url": "http://127.0.0.1:9/v1/models", "status": 401, "latency_ms": 12, "problem": ""}]','','{"retry-after": "3"}',1700000001501,'[]','[]',NULL,NULL,'','','','[]');
INSERT INTO "results" VALUES(2,1,2,'api_key','compat','Demo','openai-compatible-demo','http://127.0.0.1:9',1,'healthy','keep','It was found so.',200,12,'[{"method": "GET", "url": "http://127.0.0.1:9/v1/models", "status": 200, "latency_ms": 12, "problem": ""}]','','{"retry-after": "3"}',1700000001502,'[]','[]',NULL,NULL,'','','','[]');
CREATE TABLE run_accounts (
	run_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	account_id INTEGER NOT NULL, 
	CONSTRAINT pk_run_accounts PRIMARY KEY (run_id, position), 
	CONSTRAINT fk_run_accounts_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id), 
	CONSTRAINT fk_run_accounts_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id), 
	CONSTRAINT uq_run_accounts_run_id_account_id UNIQUE (run_id, account_id)
);
INSERT INTO "run_accounts" VALUES(1,1,1);
INSERT INTO "run_accounts" VALUES(1,2,2);
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
	owner VARCHAR(64) NOT NULL, schedule_id INTEGER, stored_bytes BIGINT, reasons JSON DEFAULT '[]' NOT NULL, 
	CONSTRAINT fk_runs_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
);
INSERT INTO "runs" VALUES(1,1,'finished','api_key','all','{"accountSource": "api_key"}',2,2,'{"invalid_key": 1, "healthy": 1}','{"disable": 1, "keep": 1}',1700000001000,1700000002000,'anna','',12500,'',NULL,NULL,'[]');
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
	saved_at BIGINT NOT NULL, cron TEXT DEFAULT '' NOT NULL, time_zone TEXT DEFAULT '' NOT NULL, problems JSON DEFAULT '[]' NOT NULL, 
	CONSTRAINT pk_schedules PRIMARY KEY (id), 
	CONSTRAINT fk_schedules_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
);
INSERT INTO "schedules" VALUES(1,1,'nightly',1,60,5,'{"accountSource": "api_key"}',1700003600000,NULL,NULL,'','anna',1700000000000,'','','[]');
CREATE TABLE usage_collectors (
	pool_id INTEGER NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	epoch BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	covered_until BIGINT NOT NULL, 
	clean BOOLEAN NOT NULL, 
	source VARCHAR(32) NOT NULL, 
	pruned_before BIGINT NOT NULL, 
	CONSTRAINT pk_usage_collectors PRIMARY KEY (pool_id), 
	CONSTRAINT fk_usage_collectors_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
);
CREATE TABLE usage_costs (
	pool_id INTEGER NOT NULL, 
	dimension SMALLINT NOT NULL, 
	hour INTEGER NOT NULL, 
	name_id INTEGER NOT NULL, 
	price_version INTEGER NOT NULL, 
	pico_usd BIGINT NOT NULL, 
	requests BIGINT NOT NULL, incomplete BIGINT DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_usage_costs PRIMARY KEY (pool_id, dimension, hour, name_id, price_version), 
	CONSTRAINT fk_usage_costs_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
)
 WITHOUT ROWID

;
CREATE TABLE usage_day_costs (
	pool_id INTEGER NOT NULL, 
	dimension SMALLINT NOT NULL, 
	day INTEGER NOT NULL, 
	name_id INTEGER NOT NULL, 
	price_version INTEGER NOT NULL, 
	pico_usd BIGINT NOT NULL, 
	requests BIGINT NOT NULL, 
	incomplete BIGINT NOT NULL, 
	CONSTRAINT pk_usage_day_costs PRIMARY KEY (pool_id, dimension, day, name_id, price_version), 
	CONSTRAINT fk_usage_day_costs_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
)
 WITHOUT ROWID

;
CREATE TABLE usage_day_latencies (
	pool_id INTEGER NOT NULL, 
	dimension SMALLINT NOT NULL, 
	name_id INTEGER NOT NULL, 
	day INTEGER NOT NULL, 
	bucket SMALLINT NOT NULL, 
	requests BIGINT NOT NULL, 
	CONSTRAINT pk_usage_day_latencies PRIMARY KEY (pool_id, dimension, name_id, day, bucket), 
	CONSTRAINT fk_usage_day_latencies_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
)
 WITHOUT ROWID

;
CREATE TABLE usage_day_pairs (
	input BIGINT, 
	cache_read BIGINT, 
	cache_write_5m BIGINT, 
	cache_write_1h BIGINT, 
	output BIGINT, 
	reasoning BIGINT, 
	audio_in BIGINT, 
	audio_out BIGINT, 
	image_in BIGINT, 
	image_out BIGINT, 
	total BIGINT, 
	pico_usd BIGINT, 
	pool_id INTEGER NOT NULL, 
	first_id INTEGER NOT NULL, 
	second_id INTEGER NOT NULL, 
	day INTEGER NOT NULL, 
	requests INTEGER NOT NULL, 
	failed INTEGER, 
	unclassified INTEGER, 
	inconsistent INTEGER, 
	priced INTEGER, 
	incomplete INTEGER, 
	pair SMALLINT NOT NULL, 
	latencies TEXT NOT NULL, 
	CONSTRAINT fk_usage_day_pairs_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
);
CREATE TABLE usage_days (
	pool_id INTEGER NOT NULL, 
	dimension SMALLINT NOT NULL, 
	day INTEGER NOT NULL, 
	name_id INTEGER NOT NULL, 
	requests BIGINT NOT NULL, 
	failed BIGINT NOT NULL, 
	unclassified BIGINT NOT NULL, 
	inconsistent BIGINT NOT NULL, 
	input BIGINT NOT NULL, 
	cache_read BIGINT NOT NULL, 
	cache_write_5m BIGINT NOT NULL, 
	cache_write_1h BIGINT NOT NULL, 
	output BIGINT NOT NULL, 
	reasoning BIGINT NOT NULL, 
	audio_in BIGINT NOT NULL, 
	audio_out BIGINT NOT NULL, 
	image_in BIGINT NOT NULL, 
	image_out BIGINT NOT NULL, 
	total BIGINT NOT NULL, 
	CONSTRAINT pk_usage_days PRIMARY KEY (pool_id, dimension, day, name_id), 
	CONSTRAINT fk_usage_days_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
)
 WITHOUT ROWID

;
CREATE TABLE usage_dead_letters (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	pool_id INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	reason VARCHAR(32) NOT NULL, 
	field VARCHAR(64) NOT NULL, 
	text TEXT NOT NULL, 
	CONSTRAINT fk_usage_dead_letters_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
);
CREATE TABLE "usage_events" (
	seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	at BIGINT NOT NULL, 
	request_id BIGINT NOT NULL, 
	digest BIGINT NOT NULL, 
	pico_usd BIGINT, 
	pool_id INTEGER NOT NULL, 
	account_id INTEGER NOT NULL, 
	client_id INTEGER NOT NULL, 
	model_id INTEGER NOT NULL, 
	alias_id INTEGER NOT NULL, 
	provider_id INTEGER NOT NULL, 
	endpoint_id INTEGER NOT NULL, 
	tier_id INTEGER NOT NULL, 
	failure_id INTEGER NOT NULL, 
	latency_ms INTEGER NOT NULL, 
	ttft_ms INTEGER NOT NULL, 
	price_version INTEGER, 
	input INTEGER NOT NULL, 
	cache_read INTEGER NOT NULL, 
	output INTEGER NOT NULL, 
	reasoning INTEGER NOT NULL, 
	total INTEGER NOT NULL, 
	cache_write_5m INTEGER, 
	cache_write_1h INTEGER, 
	audio_in INTEGER, 
	audio_out INTEGER, 
	image_in INTEGER, 
	image_out INTEGER, 
	status SMALLINT NOT NULL, 
	quality SMALLINT NOT NULL, 
	partial SMALLINT DEFAULT 0 NOT NULL, 
	CONSTRAINT fk_usage_events_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
);
INSERT INTO "usage_events" VALUES(1,1787392800000,7,42,NULL,1,0,0,1,0,2,0,0,0,1500,300,NULL,800,80,7,0,887,NULL,NULL,NULL,NULL,NULL,NULL,200,0,0);
CREATE TABLE usage_gaps (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	pool_id INTEGER NOT NULL, 
	start_at BIGINT NOT NULL, 
	end_at BIGINT NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	missing BIGINT, 
	CONSTRAINT fk_usage_gaps_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
);
CREATE TABLE usage_hours (
	pool_id INTEGER NOT NULL, 
	dimension SMALLINT NOT NULL, 
	hour INTEGER NOT NULL, 
	name_id INTEGER NOT NULL, 
	requests BIGINT NOT NULL, 
	failed BIGINT NOT NULL, 
	unclassified BIGINT NOT NULL, 
	inconsistent BIGINT NOT NULL, 
	input BIGINT NOT NULL, 
	cache_read BIGINT NOT NULL, 
	cache_write_5m BIGINT NOT NULL, 
	cache_write_1h BIGINT NOT NULL, 
	output BIGINT NOT NULL, 
	reasoning BIGINT NOT NULL, 
	audio_in BIGINT NOT NULL, 
	audio_out BIGINT NOT NULL, 
	image_in BIGINT NOT NULL, 
	image_out BIGINT NOT NULL, 
	total BIGINT NOT NULL, 
	CONSTRAINT pk_usage_hours PRIMARY KEY (pool_id, dimension, hour, name_id), 
	CONSTRAINT fk_usage_hours_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
)
 WITHOUT ROWID

;
INSERT INTO "usage_hours" VALUES(1,0,496498,0,1,0,0,0,800,80,0,0,7,0,0,0,0,0,887);
INSERT INTO "usage_hours" VALUES(1,1,496498,1,1,0,0,0,800,80,0,0,7,0,0,0,0,0,887);
INSERT INTO "usage_hours" VALUES(1,2,496498,0,1,0,0,0,800,80,0,0,7,0,0,0,0,0,887);
INSERT INTO "usage_hours" VALUES(1,3,496498,0,1,0,0,0,800,80,0,0,7,0,0,0,0,0,887);
INSERT INTO "usage_hours" VALUES(1,4,496498,2,1,0,0,0,800,80,0,0,7,0,0,0,0,0,887);
CREATE TABLE usage_latencies (
	pool_id INTEGER NOT NULL, 
	dimension SMALLINT NOT NULL, 
	hour INTEGER NOT NULL, 
	name_id INTEGER NOT NULL, 
	bucket SMALLINT NOT NULL, 
	requests BIGINT NOT NULL, 
	CONSTRAINT pk_usage_latencies PRIMARY KEY (pool_id, dimension, hour, name_id, bucket), 
	CONSTRAINT fk_usage_latencies_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
)
 WITHOUT ROWID

;
INSERT INTO "usage_latencies" VALUES(1,0,496498,0,77,1);
INSERT INTO "usage_latencies" VALUES(1,1,496498,1,77,1);
INSERT INTO "usage_latencies" VALUES(1,2,496498,0,77,1);
INSERT INTO "usage_latencies" VALUES(1,3,496498,0,77,1);
INSERT INTO "usage_latencies" VALUES(1,4,496498,2,77,1);
CREATE TABLE usage_names (
	id INTEGER NOT NULL, 
	kind SMALLINT NOT NULL, 
	text VARCHAR(250) NOT NULL, 
	CONSTRAINT pk_usage_names PRIMARY KEY (id), 
	CONSTRAINT uq_usage_names_kind_text UNIQUE (kind, text)
);
INSERT INTO "usage_names" VALUES(1,1,'gpt-5');
INSERT INTO "usage_names" VALUES(2,4,'codex');
CREATE TABLE usage_paired_days (
	pool_id INTEGER NOT NULL, 
	pair SMALLINT NOT NULL, 
	day INTEGER NOT NULL, 
	stamp BIGINT NOT NULL, 
	rows INTEGER, 
	CONSTRAINT pk_usage_paired_days PRIMARY KEY (pool_id, pair, day), 
	CONSTRAINT fk_usage_paired_days_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
)
 WITHOUT ROWID

;
CREATE TABLE usage_price_versions (
	id INTEGER NOT NULL, 
	version VARCHAR(16) NOT NULL, 
	terms TEXT NOT NULL, 
	CONSTRAINT pk_usage_price_versions PRIMARY KEY (id), 
	CONSTRAINT uq_usage_price_versions_version UNIQUE (version)
);
CREATE TABLE usage_reratings (
	pool_id INTEGER NOT NULL, 
	start_at BIGINT NOT NULL, 
	end_at BIGINT NOT NULL, 
	position_at BIGINT NOT NULL, 
	position_seq BIGINT NOT NULL, 
	examined BIGINT NOT NULL, 
	changed BIGINT NOT NULL, 
	sums TEXT NOT NULL, 
	actor TEXT NOT NULL, 
	started_at BIGINT NOT NULL, 
	finished_at BIGINT, 
	CONSTRAINT pk_usage_reratings PRIMARY KEY (pool_id), 
	CONSTRAINT fk_usage_reratings_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
);
CREATE TABLE usage_summed_days (
	pool_id INTEGER NOT NULL, 
	day INTEGER NOT NULL, stamp BIGINT DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_usage_summed_days PRIMARY KEY (pool_id, day), 
	CONSTRAINT fk_usage_summed_days_pool_id_pools FOREIGN KEY(pool_id) REFERENCES pools (id)
)
 WITHOUT ROWID

;
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
INSERT INTO "warnings" VALUES(1,1,'skipped','odd.json','no auth_index',1700000000500,1700000000500,1);
CREATE UNIQUE INDEX uq_runs_active ON runs (pool_id) WHERE state IN ('queued', 'running', 'paused', 'finishing', 'stopping');
CREATE INDEX ix_events_run_id_seq ON events (run_id, seq);
CREATE INDEX ix_batches_pool_id_state ON batches (pool_id, state);
CREATE INDEX ix_batches_run_id ON batches (run_id);
CREATE INDEX ix_usage_gaps_pool_id_end_at ON usage_gaps (pool_id, end_at);
CREATE INDEX ix_usage_events_at ON usage_events (at);
CREATE INDEX ix_usage_events_account_id_at ON usage_events (account_id, at);
CREATE INDEX ix_usage_events_client_id_at ON usage_events (client_id, at);
CREATE INDEX ix_usage_events_model_id_at ON usage_events (model_id, at);
CREATE INDEX ix_usage_events_failed_at ON usage_events (at) WHERE failure_id <> 0;
CREATE INDEX ix_results_account_id_seq ON results (account_id, seq);
CREATE INDEX ix_results_run_id_seq ON results (run_id, seq);
CREATE INDEX ix_actions_account_id_id ON actions (account_id, id);
CREATE INDEX ix_actions_pool_id_outcome ON actions (pool_id, outcome);
CREATE INDEX ix_actions_batch_id ON actions (batch_id);
CREATE INDEX ix_actions_undoes ON actions (undoes);
CREATE INDEX ix_actions_run_id ON actions (run_id);
CREATE INDEX ix_usage_day_pairs_first ON usage_day_pairs (pool_id, pair, first_id, day);
CREATE INDEX ix_usage_day_pairs_second ON usage_day_pairs (pool_id, pair, second_id, day);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('runs',1);
INSERT INTO "sqlite_sequence" VALUES('events',2);
INSERT INTO "sqlite_sequence" VALUES('deliveries',1);
INSERT INTO "sqlite_sequence" VALUES('model_prices',1);
INSERT INTO "sqlite_sequence" VALUES('usage_events',1);
INSERT INTO "sqlite_sequence" VALUES('results',2);
INSERT INTO "sqlite_sequence" VALUES('actions',1);
COMMIT;
