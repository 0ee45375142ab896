SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.accounts (
    id integer NOT NULL,
    pool_id integer NOT NULL,
    source character varying(32) NOT NULL,
    fingerprint character varying(1024) NOT NULL,
    auth_index text NOT NULL,
    gateway_id text NOT NULL,
    family character varying(32) NOT NULL,
    display_name text NOT NULL,
    provider text NOT NULL,
    label text NOT NULL,
    compat_name text NOT NULL,
    base_url text NOT NULL,
    file_name text NOT NULL,
    first_seen_at bigint NOT NULL,
    never_probe boolean DEFAULT false NOT NULL,
    managed boolean DEFAULT false NOT NULL,
    section character varying(32) DEFAULT ''::character varying NOT NULL,
    discriminator character varying(64) DEFAULT ''::character varying NOT NULL,
    identical integer DEFAULT 1 NOT NULL,
    owned_after integer DEFAULT 0 NOT NULL,
    key_hint text DEFAULT ''::text NOT NULL,
    place text DEFAULT ''::text NOT NULL
);
CREATE SEQUENCE public.accounts_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.accounts_id_seq OWNED BY public.accounts.id;
CREATE TABLE public.actions (
    id integer NOT NULL,
    pool_id integer NOT NULL,
    account_id integer NOT NULL,
    run_id integer,
    display_name text NOT NULL,
    action character varying(32) NOT NULL,
    outcome character varying(32) NOT NULL,
    text text NOT NULL,
    actor text NOT NULL,
    actor_kind character varying(32) NOT NULL,
    reason text NOT NULL,
    evidence json NOT NULL,
    before json NOT NULL,
    after json,
    at bigint NOT NULL,
    settled_at bigint,
    cause character varying(32) DEFAULT 'request'::character varying NOT NULL,
    undoes integer,
    batch_id integer,
    key_hint text DEFAULT ''::text NOT NULL,
    place text DEFAULT ''::text NOT NULL,
    reasons json DEFAULT '[]'::json NOT NULL,
    texts json DEFAULT '[]'::json NOT NULL
);
CREATE SEQUENCE public.actions_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.actions_id_seq OWNED BY public.actions.id;
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.api_key_aliases (
    fingerprint character varying(64) NOT NULL,
    alias character varying(100) NOT NULL,
    set_by text NOT NULL,
    set_at bigint NOT NULL
);
CREATE TABLE public.batches (
    id integer NOT NULL,
    pool_id integer NOT NULL,
    run_id integer,
    cause character varying(32) NOT NULL,
    actor text NOT NULL,
    actor_kind character varying(32) NOT NULL,
    state character varying(32) NOT NULL,
    reason text NOT NULL,
    total integer NOT NULL,
    done integer NOT NULL,
    planned json NOT NULL,
    outcomes json NOT NULL,
    at bigint NOT NULL,
    ended_at bigint,
    reasons json DEFAULT '[]'::json NOT NULL
);
CREATE SEQUENCE public.batches_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.batches_id_seq OWNED BY public.batches.id;
CREATE TABLE public.deliveries (
    id integer NOT NULL,
    pool_id integer NOT NULL,
    kind character varying(32) NOT NULL,
    run_id integer,
    at bigint NOT NULL,
    taken boolean NOT NULL,
    attempts integer NOT NULL,
    problem text NOT NULL,
    channel integer
);
CREATE SEQUENCE public.deliveries_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.deliveries_id_seq OWNED BY public.deliveries.id;
CREATE TABLE public.events (
    seq bigint NOT NULL,
    at bigint NOT NULL,
    kind character varying(32) NOT NULL,
    run_id integer,
    data json NOT NULL
);
CREATE SEQUENCE public.events_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.events_seq_seq OWNED BY public.events.seq;
CREATE TABLE public.held (
    id integer NOT NULL,
    run_id integer NOT NULL,
    account_id integer NOT NULL,
    action character varying(32) NOT NULL,
    reason text NOT NULL,
    at bigint NOT NULL,
    released_at bigint,
    host text DEFAULT ''::text NOT NULL,
    code character varying(32) DEFAULT ''::character varying NOT NULL,
    params json DEFAULT '{}'::json NOT NULL
);
CREATE SEQUENCE public.held_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.held_id_seq OWNED BY public.held.id;
CREATE TABLE public.installations (
    mark character varying(64) NOT NULL,
    made_at bigint NOT NULL
);
CREATE TABLE public.leases (
    name character varying(32) NOT NULL,
    owner character varying(64) NOT NULL,
    address text NOT NULL,
    epoch bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.model_prices (
    id integer NOT NULL,
    provider character varying(100) NOT NULL,
    model character varying(200) NOT NULL,
    service_tier character varying(32) NOT NULL,
    valid_from date,
    rates json NOT NULL,
    source character varying(32) NOT NULL,
    note text NOT NULL,
    set_by text NOT NULL,
    set_at bigint NOT NULL
);
CREATE SEQUENCE public.model_prices_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.model_prices_id_seq OWNED BY public.model_prices.id;
CREATE TABLE public.pools (
    id integer NOT NULL,
    name character varying(200) NOT NULL,
    created_at bigint NOT NULL,
    notified_seq bigint,
    automation_paused_at bigint,
    automation_paused_by text DEFAULT ''::text NOT NULL
);
CREATE SEQUENCE public.pools_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.pools_id_seq OWNED BY public.pools.id;
CREATE TABLE public.results (
    seq bigint NOT NULL,
    run_id integer NOT NULL,
    account_id integer NOT NULL,
    account_source character varying(32) NOT NULL,
    family character varying(32) NOT NULL,
    display_name text NOT NULL,
    provider text NOT NULL,
    base_url text NOT NULL,
    enabled boolean,
    verdict character varying(32) NOT NULL,
    action character varying(32) NOT NULL,
    reason text NOT NULL,
    status integer,
    latency_ms integer,
    attempts json NOT NULL,
    preview text NOT NULL,
    headers json NOT NULL,
    at bigint NOT NULL,
    revisions json DEFAULT '[]'::json NOT NULL,
    windows json DEFAULT '[]'::json NOT NULL,
    resets_at bigint,
    probed_with integer,
    route character varying(64) DEFAULT ''::character varying NOT NULL,
    key_hint text DEFAULT ''::text NOT NULL,
    place text DEFAULT ''::text NOT NULL,
    reasons json DEFAULT '[]'::json NOT NULL
);
CREATE SEQUENCE public.results_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.results_seq_seq OWNED BY public.results.seq;
CREATE TABLE public.run_accounts (
    run_id integer NOT NULL,
    "position" integer NOT NULL,
    account_id integer NOT NULL
);
CREATE TABLE public.runs (
    id integer NOT NULL,
    pool_id integer NOT NULL,
    state character varying(32) NOT NULL,
    account_source character varying(32) NOT NULL,
    target_type character varying(32) NOT NULL,
    settings json NOT NULL,
    total integer NOT NULL,
    done integer NOT NULL,
    verdicts json NOT NULL,
    recommendations json NOT NULL,
    started_at bigint NOT NULL,
    finished_at bigint,
    started_by text NOT NULL,
    reason text NOT NULL,
    gateway_call_us bigint,
    owner character varying(64) NOT NULL,
    schedule_id integer,
    stored_bytes bigint,
    reasons json DEFAULT '[]'::json NOT NULL
);
CREATE SEQUENCE public.runs_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.runs_id_seq OWNED BY public.runs.id;
CREATE TABLE public.schedules (
    id integer NOT NULL,
    pool_id integer NOT NULL,
    name text NOT NULL,
    enabled boolean NOT NULL,
    interval_minutes integer NOT NULL,
    jitter_minutes integer NOT NULL,
    settings json NOT NULL,
    next_at bigint NOT NULL,
    last_at bigint,
    last_run integer,
    problem text NOT NULL,
    saved_by text NOT NULL,
    saved_at bigint NOT NULL,
    cron text DEFAULT ''::text NOT NULL,
    time_zone text DEFAULT ''::text NOT NULL,
    problems json DEFAULT '[]'::json NOT NULL
);
CREATE SEQUENCE public.schedules_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.schedules_id_seq OWNED BY public.schedules.id;
CREATE TABLE public.usage_collectors (
    pool_id integer NOT NULL,
    owner character varying(64) NOT NULL,
    epoch bigint NOT NULL,
    expires_at bigint NOT NULL,
    covered_until bigint NOT NULL,
    clean boolean NOT NULL,
    source character varying(32) NOT NULL,
    pruned_before bigint NOT NULL
);
CREATE TABLE public.usage_costs (
    pool_id integer NOT NULL,
    dimension smallint NOT NULL,
    hour integer NOT NULL,
    name_id integer NOT NULL,
    price_version integer NOT NULL,
    pico_usd bigint NOT NULL,
    requests bigint NOT NULL,
    incomplete bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.usage_day_costs (
    pool_id integer NOT NULL,
    dimension smallint NOT NULL,
    day integer NOT NULL,
    name_id integer NOT NULL,
    price_version integer NOT NULL,
    pico_usd bigint NOT NULL,
    requests bigint NOT NULL,
    incomplete bigint NOT NULL
);
CREATE TABLE public.usage_day_latencies (
    pool_id integer NOT NULL,
    dimension smallint NOT NULL,
    name_id integer NOT NULL,
    day integer NOT NULL,
    bucket smallint NOT NULL,
    requests bigint NOT NULL
);
CREATE TABLE public.usage_day_pairs (
    input bigint,
    cache_read bigint,
    cache_write_5m bigint,
    cache_write_1h bigint,
    output bigint,
    reasoning bigint,
    audio_in bigint,
    audio_out bigint,
    image_in bigint,
    image_out bigint,
    total bigint,
    pico_usd bigint,
    pool_id integer NOT NULL,
    first_id integer NOT NULL,
    second_id integer NOT NULL,
    day integer NOT NULL,
    requests integer NOT NULL,
    failed integer,
    unclassified integer,
    inconsistent integer,
    priced integer,
    incomplete integer,
    pair smallint NOT NULL,
    latencies text NOT NULL
);
CREATE TABLE public.usage_days (
    pool_id integer NOT NULL,
    dimension smallint NOT NULL,
    day integer NOT NULL,
    name_id integer NOT NULL,
    requests bigint NOT NULL,
    failed bigint NOT NULL,
    unclassified bigint NOT NULL,
    inconsistent bigint NOT NULL,
    input bigint NOT NULL,
    cache_read bigint NOT NULL,
    cache_write_5m bigint NOT NULL,
    cache_write_1h bigint NOT NULL,
    output bigint NOT NULL,
    reasoning bigint NOT NULL,
    audio_in bigint NOT NULL,
    audio_out bigint NOT NULL,
    image_in bigint NOT NULL,
    image_out bigint NOT NULL,
    total bigint NOT NULL
);
CREATE TABLE public.usage_dead_letters (
    id integer NOT NULL,
    pool_id integer NOT NULL,
    at bigint NOT NULL,
    reason character varying(32) NOT NULL,
    field character varying(64) NOT NULL,
    text text NOT NULL
);
CREATE SEQUENCE public.usage_dead_letters_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.usage_dead_letters_id_seq OWNED BY public.usage_dead_letters.id;
CREATE TABLE public.usage_events (
    seq bigint NOT NULL,
    at bigint NOT NULL,
    request_id bigint NOT NULL,
    digest bigint NOT NULL,
    pico_usd bigint,
    pool_id integer NOT NULL,
    account_id integer NOT NULL,
    client_id integer NOT NULL,
    model_id integer NOT NULL,
    alias_id integer NOT NULL,
    provider_id integer NOT NULL,
    endpoint_id integer NOT NULL,
    tier_id integer NOT NULL,
    failure_id integer NOT NULL,
    latency_ms integer NOT NULL,
    ttft_ms integer NOT NULL,
    price_version integer,
    input integer NOT NULL,
    cache_read integer NOT NULL,
    output integer NOT NULL,
    reasoning integer NOT NULL,
    total integer NOT NULL,
    cache_write_5m integer,
    cache_write_1h integer,
    audio_in integer,
    audio_out integer,
    image_in integer,
    image_out integer,
    status smallint NOT NULL,
    quality smallint NOT NULL,
    partial smallint DEFAULT 0 NOT NULL
);
CREATE SEQUENCE public.usage_events_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.usage_events_seq_seq OWNED BY public.usage_events.seq;
CREATE TABLE public.usage_gaps (
    id integer NOT NULL,
    pool_id integer NOT NULL,
    start_at bigint NOT NULL,
    end_at bigint NOT NULL,
    kind character varying(32) NOT NULL,
    missing bigint
);
CREATE SEQUENCE public.usage_gaps_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.usage_gaps_id_seq OWNED BY public.usage_gaps.id;
CREATE TABLE public.usage_hours (
    pool_id integer NOT NULL,
    dimension smallint NOT NULL,
    hour integer NOT NULL,
    name_id integer NOT NULL,
    requests bigint NOT NULL,
    failed bigint NOT NULL,
    unclassified bigint NOT NULL,
    inconsistent bigint NOT NULL,
    input bigint NOT NULL,
    cache_read bigint NOT NULL,
    cache_write_5m bigint NOT NULL,
    cache_write_1h bigint NOT NULL,
    output bigint NOT NULL,
    reasoning bigint NOT NULL,
    audio_in bigint NOT NULL,
    audio_out bigint NOT NULL,
    image_in bigint NOT NULL,
    image_out bigint NOT NULL,
    total bigint NOT NULL
);
CREATE TABLE public.usage_latencies (
    pool_id integer NOT NULL,
    dimension smallint NOT NULL,
    hour integer NOT NULL,
    name_id integer NOT NULL,
    bucket smallint NOT NULL,
    requests bigint NOT NULL
);
CREATE TABLE public.usage_names (
    id integer NOT NULL,
    kind smallint NOT NULL,
    text character varying(250) NOT NULL
);
CREATE SEQUENCE public.usage_names_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.usage_names_id_seq OWNED BY public.usage_names.id;
CREATE TABLE public.usage_paired_days (
    pool_id integer NOT NULL,
    pair smallint NOT NULL,
    day integer NOT NULL,
    stamp bigint NOT NULL,
    rows integer
);
CREATE TABLE public.usage_price_versions (
    id integer NOT NULL,
    version character varying(16) NOT NULL,
    terms text NOT NULL
);
CREATE SEQUENCE public.usage_price_versions_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.usage_price_versions_id_seq OWNED BY public.usage_price_versions.id;
CREATE TABLE public.usage_reratings (
    pool_id integer NOT NULL,
    start_at bigint NOT NULL,
    end_at bigint NOT NULL,
    position_at bigint NOT NULL,
    position_seq bigint NOT NULL,
    examined bigint NOT NULL,
    changed bigint NOT NULL,
    sums text NOT NULL,
    actor text NOT NULL,
    started_at bigint NOT NULL,
    finished_at bigint
);
CREATE TABLE public.usage_summed_days (
    pool_id integer NOT NULL,
    day integer NOT NULL,
    stamp bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.warnings (
    id integer NOT NULL,
    pool_id integer NOT NULL,
    kind character varying(32) NOT NULL,
    subject character varying(512) NOT NULL,
    text text NOT NULL,
    first_at bigint NOT NULL,
    last_at bigint NOT NULL,
    times integer NOT NULL
);
CREATE SEQUENCE public.warnings_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.warnings_id_seq OWNED BY public.warnings.id;
ALTER TABLE ONLY public.accounts ALTER COLUMN id SET DEFAULT nextval('public.accounts_id_seq'::regclass);
ALTER TABLE ONLY public.actions ALTER COLUMN id SET DEFAULT nextval('public.actions_id_seq'::regclass);
ALTER TABLE ONLY public.batches ALTER COLUMN id SET DEFAULT nextval('public.batches_id_seq'::regclass);
ALTER TABLE ONLY public.deliveries ALTER COLUMN id SET DEFAULT nextval('public.deliveries_id_seq'::regclass);
ALTER TABLE ONLY public.events ALTER COLUMN seq SET DEFAULT nextval('public.events_seq_seq'::regclass);
ALTER TABLE ONLY public.held ALTER COLUMN id SET DEFAULT nextval('public.held_id_seq'::regclass);
ALTER TABLE ONLY public.model_prices ALTER COLUMN id SET DEFAULT nextval('public.model_prices_id_seq'::regclass);
ALTER TABLE ONLY public.pools ALTER COLUMN id SET DEFAULT nextval('public.pools_id_seq'::regclass);
ALTER TABLE ONLY public.results ALTER COLUMN seq SET DEFAULT nextval('public.results_seq_seq'::regclass);
ALTER TABLE ONLY public.runs ALTER COLUMN id SET DEFAULT nextval('public.runs_id_seq'::regclass);
ALTER TABLE ONLY public.schedules ALTER COLUMN id SET DEFAULT nextval('public.schedules_id_seq'::regclass);
ALTER TABLE ONLY public.usage_dead_letters ALTER COLUMN id SET DEFAULT nextval('public.usage_dead_letters_id_seq'::regclass);
ALTER TABLE ONLY public.usage_events ALTER COLUMN seq SET DEFAULT nextval('public.usage_events_seq_seq'::regclass);
ALTER TABLE ONLY public.usage_gaps ALTER COLUMN id SET DEFAULT nextval('public.usage_gaps_id_seq'::regclass);
ALTER TABLE ONLY public.usage_names ALTER COLUMN id SET DEFAULT nextval('public.usage_names_id_seq'::regclass);
ALTER TABLE ONLY public.usage_price_versions ALTER COLUMN id SET DEFAULT nextval('public.usage_price_versions_id_seq'::regclass);
ALTER TABLE ONLY public.warnings ALTER COLUMN id SET DEFAULT nextval('public.warnings_id_seq'::regclass);
INSERT INTO public.accounts VALUES (1, 1, 'api_key', 'f1', '0123456789abcdef', 'openai-compatibility:demo:1', 'compat', 'Demo', 'openai-compatible-demo', '', 'demo', 'http://127.0.0.1:9', '', 1700000000001, false, false, '', 'unsplit', 1, 0, '', '');
INSERT INTO public.accounts VALUES (2, 1, 'oauth', 'anna.json', '0123456789abcdef', 'openai-compatibility:demo:1', '', 'anna.json', 'codex', '', '', '', 'anna.json', 1700000000001, false, true, '', '', 1, 0, '', '');
INSERT INTO public.actions VALUES (1, 1, 1, 1, 'Demo', 'disable', 'applied', 'Disabled, and read back.', 'anna', 'person', 'broken', '{"result": 1, "run": 1, "verdict": "invalid_key", "status": 401, "at": 1700000001501}', '{"present": true, "enabled": true}', '{"present": true, "enabled": false}', 1700000003000, 1700000003100, 'request', NULL, NULL, '', '', '[]', '[]');
INSERT INTO public.alembic_version VALUES ('0023');
INSERT INTO public.api_key_aliases VALUES ('0123456789abcdef', 'team', 'anna', 1700000000000);
INSERT INTO public.deliveries VALUES (1, 1, 'inspection.changed', 1, 1700000002500, true, 1, '', NULL);
INSERT INTO public.events VALUES (1, 1700000003100, 'action', NULL, '{"ids": [1]}');
INSERT INTO public.events VALUES (2, 1700000002000, 'run.progress', 1, '{"run": 1, "done": 2, "total": 2, "verdicts": {"invalid_key": 1, "healthy": 1}, "recommendations": {"disable": 1, "keep": 1}}');
INSERT INTO public.held VALUES (1, 1, 1, 'disable', 'It is held.', 1700000002000, NULL, '', '', '{}');
INSERT INTO public.model_prices VALUES (1, 'openai', 'gpt-x', '', '2026-11-01', '{}', 'person', '', 'anna', 1700000000000);
INSERT INTO public.pools VALUES (1, 'default', 1700000000000, NULL, NULL, '');
INSERT INTO public.results VALUES (1, 1, 1, 'api_key', 'compat', 'Demo', 'openai-compatible-demo', 'http://127.0.0.1:9', true, 'invalid_key', 'disable', 'It was found so.', 401, 12, '[{"method": "GET", "url": "http://127.0.0.1:9/v1/models", "status": 401, "latency_ms": 12, "problem": ""}]', '', '{"retry-after": "3"}', 1700000001501, '[]', '[]', NULL, NULL, '', '', '', '[]');
INSERT INTO public.results VALUES (2, 1, 2, 'api_key', 'compat', 'Demo', 'openai-compatible-demo', 'http://127.0.0.1:9', true, 'healthy', 'keep', 'It was found so.', 200, 12, '[{"method": "GET", "url": "http://127.0.0.1:9/v1/models", "status": 200, "latency_ms": 12, "problem": ""}]', '', '{"retry-after": "3"}', 1700000001502, '[]', '[]', NULL, NULL, '', '', '', '[]');
INSERT INTO public.run_accounts VALUES (1, 1, 1);
INSERT INTO public.run_accounts VALUES (1, 2, 2);
INSERT INTO public.runs VALUES (1, 1, 'finished', 'api_key', 'all', '{"accountSource": "api_key"}', 2, 2, '{"invalid_key": 1, "healthy": 1}', '{"disable": 1, "keep": 1}', 1700000001000, 1700000002000, 'anna', '', 12500, '', NULL, NULL, '[]');
INSERT INTO public.schedules VALUES (1, 1, 'nightly', true, 60, 5, '{"accountSource": "api_key"}', 1700003600000, NULL, NULL, '', 'anna', 1700000000000, '', '', '[]');
INSERT INTO public.warnings VALUES (1, 1, 'skipped', 'odd.json', 'no auth_index', 1700000000500, 1700000000500, 1);
SELECT pg_catalog.setval('public.accounts_id_seq', 2, true);
SELECT pg_catalog.setval('public.actions_id_seq', 1, true);
SELECT pg_catalog.setval('public.batches_id_seq', 1, true);
SELECT pg_catalog.setval('public.deliveries_id_seq', 1, true);
SELECT pg_catalog.setval('public.events_seq_seq', 2, true);
SELECT pg_catalog.setval('public.held_id_seq', 1, true);
SELECT pg_catalog.setval('public.model_prices_id_seq', 1, true);
SELECT pg_catalog.setval('public.pools_id_seq', 1, true);
SELECT pg_catalog.setval('public.results_seq_seq', 2, true);
SELECT pg_catalog.setval('public.runs_id_seq', 1, true);
SELECT pg_catalog.setval('public.schedules_id_seq', 1, true);
SELECT pg_catalog.setval('public.usage_dead_letters_id_seq', 1, true);
SELECT pg_catalog.setval('public.usage_events_seq_seq', 1, true);
SELECT pg_catalog.setval('public.usage_gaps_id_seq', 1, true);
SELECT pg_catalog.setval('public.usage_names_id_seq', 1, true);
SELECT pg_catalog.setval('public.usage_price_versions_id_seq', 1, false);
SELECT pg_catalog.setval('public.warnings_id_seq', 1, true);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT pk_accounts PRIMARY KEY (id);
ALTER TABLE ONLY public.actions
    ADD CONSTRAINT pk_actions PRIMARY KEY (id);
ALTER TABLE ONLY public.api_key_aliases
    ADD CONSTRAINT pk_api_key_aliases PRIMARY KEY (fingerprint);
ALTER TABLE ONLY public.batches
    ADD CONSTRAINT pk_batches PRIMARY KEY (id);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT pk_deliveries PRIMARY KEY (id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT pk_events PRIMARY KEY (seq);
ALTER TABLE ONLY public.held
    ADD CONSTRAINT pk_held PRIMARY KEY (id);
ALTER TABLE ONLY public.installations
    ADD CONSTRAINT pk_installations PRIMARY KEY (mark);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT pk_leases PRIMARY KEY (name);
ALTER TABLE ONLY public.model_prices
    ADD CONSTRAINT pk_model_prices PRIMARY KEY (id);
ALTER TABLE ONLY public.pools
    ADD CONSTRAINT pk_pools PRIMARY KEY (id);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT pk_results PRIMARY KEY (seq);
ALTER TABLE ONLY public.run_accounts
    ADD CONSTRAINT pk_run_accounts PRIMARY KEY (run_id, "position");
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT pk_runs PRIMARY KEY (id);
ALTER TABLE ONLY public.schedules
    ADD CONSTRAINT pk_schedules PRIMARY KEY (id);
ALTER TABLE ONLY public.usage_collectors
    ADD CONSTRAINT pk_usage_collectors PRIMARY KEY (pool_id);
ALTER TABLE ONLY public.usage_costs
    ADD CONSTRAINT pk_usage_costs PRIMARY KEY (pool_id, dimension, hour, name_id, price_version);
ALTER TABLE ONLY public.usage_day_costs
    ADD CONSTRAINT pk_usage_day_costs PRIMARY KEY (pool_id, dimension, day, name_id, price_version);
ALTER TABLE ONLY public.usage_day_latencies
    ADD CONSTRAINT pk_usage_day_latencies PRIMARY KEY (pool_id, dimension, name_id, day, bucket);
ALTER TABLE ONLY public.usage_days
    ADD CONSTRAINT pk_usage_days PRIMARY KEY (pool_id, dimension, day, name_id);
ALTER TABLE ONLY public.usage_dead_letters
    ADD CONSTRAINT pk_usage_dead_letters PRIMARY KEY (id);
ALTER TABLE ONLY public.usage_events
    ADD CONSTRAINT pk_usage_events PRIMARY KEY (seq);
ALTER TABLE ONLY public.usage_gaps
    ADD CONSTRAINT pk_usage_gaps PRIMARY KEY (id);
ALTER TABLE ONLY public.usage_hours
    ADD CONSTRAINT pk_usage_hours PRIMARY KEY (pool_id, dimension, hour, name_id);
ALTER TABLE ONLY public.usage_latencies
    ADD CONSTRAINT pk_usage_latencies PRIMARY KEY (pool_id, dimension, hour, name_id, bucket);
ALTER TABLE ONLY public.usage_names
    ADD CONSTRAINT pk_usage_names PRIMARY KEY (id);
ALTER TABLE ONLY public.usage_paired_days
    ADD CONSTRAINT pk_usage_paired_days PRIMARY KEY (pool_id, pair, day);
ALTER TABLE ONLY public.usage_price_versions
    ADD CONSTRAINT pk_usage_price_versions PRIMARY KEY (id);
ALTER TABLE ONLY public.usage_reratings
    ADD CONSTRAINT pk_usage_reratings PRIMARY KEY (pool_id);
ALTER TABLE ONLY public.usage_summed_days
    ADD CONSTRAINT pk_usage_summed_days PRIMARY KEY (pool_id, day);
ALTER TABLE ONLY public.warnings
    ADD CONSTRAINT pk_warnings PRIMARY KEY (id);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT uq_accounts_identity UNIQUE (pool_id, source, section, compat_name, fingerprint, discriminator);
ALTER TABLE ONLY public.api_key_aliases
    ADD CONSTRAINT uq_api_key_aliases_alias UNIQUE (alias);
ALTER TABLE ONLY public.held
    ADD CONSTRAINT uq_held_run_id_account_id UNIQUE (run_id, account_id);
ALTER TABLE ONLY public.pools
    ADD CONSTRAINT uq_pools_name UNIQUE (name);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT uq_results_run_id_account_id UNIQUE (run_id, account_id);
ALTER TABLE ONLY public.run_accounts
    ADD CONSTRAINT uq_run_accounts_run_id_account_id UNIQUE (run_id, account_id);
ALTER TABLE ONLY public.usage_names
    ADD CONSTRAINT uq_usage_names_kind_text UNIQUE (kind, text);
ALTER TABLE ONLY public.usage_price_versions
    ADD CONSTRAINT uq_usage_price_versions_version UNIQUE (version);
ALTER TABLE ONLY public.warnings
    ADD CONSTRAINT uq_warnings_pool_id_kind_subject UNIQUE (pool_id, kind, subject);
CREATE INDEX ix_actions_account_id_id ON public.actions USING btree (account_id, id);
CREATE INDEX ix_actions_batch_id ON public.actions USING btree (batch_id);
CREATE INDEX ix_actions_pool_id_outcome ON public.actions USING btree (pool_id, outcome);
CREATE INDEX ix_actions_run_id ON public.actions USING btree (run_id);
CREATE INDEX ix_actions_undoes ON public.actions USING btree (undoes);
CREATE INDEX ix_batches_pool_id_state ON public.batches USING btree (pool_id, state);
CREATE INDEX ix_batches_run_id ON public.batches USING btree (run_id);
CREATE INDEX ix_events_run_id_seq ON public.events USING btree (run_id, seq);
CREATE INDEX ix_results_account_id_seq ON public.results USING btree (account_id, seq);
CREATE INDEX ix_results_run_id_seq ON public.results USING btree (run_id, seq);
CREATE INDEX ix_usage_day_pairs_first ON public.usage_day_pairs USING btree (pool_id, pair, first_id, day);
CREATE INDEX ix_usage_day_pairs_second ON public.usage_day_pairs USING btree (pool_id, pair, second_id, day);
CREATE INDEX ix_usage_events_account_id_at ON public.usage_events USING btree (account_id, at);
CREATE INDEX ix_usage_events_at ON public.usage_events USING btree (at);
CREATE INDEX ix_usage_events_client_id_at ON public.usage_events USING btree (client_id, at);
CREATE INDEX ix_usage_events_failed_at ON public.usage_events USING btree (at) WHERE (failure_id <> 0);
CREATE INDEX ix_usage_events_model_id_at ON public.usage_events USING btree (model_id, at);
CREATE INDEX ix_usage_gaps_pool_id_end_at ON public.usage_gaps USING btree (pool_id, end_at);
CREATE UNIQUE INDEX uq_runs_active ON public.runs USING btree (pool_id) WHERE ((state)::text = ANY (ARRAY[('queued'::character varying)::text, ('running'::character varying)::text, ('paused'::character varying)::text, ('finishing'::character varying)::text, ('stopping'::character varying)::text]));
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT fk_accounts_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.actions
    ADD CONSTRAINT fk_actions_account_id_accounts FOREIGN KEY (account_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.actions
    ADD CONSTRAINT fk_actions_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.actions
    ADD CONSTRAINT fk_actions_run_id_runs FOREIGN KEY (run_id) REFERENCES public.runs(id);
ALTER TABLE ONLY public.batches
    ADD CONSTRAINT fk_batches_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT fk_deliveries_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT fk_events_run_id_runs FOREIGN KEY (run_id) REFERENCES public.runs(id);
ALTER TABLE ONLY public.held
    ADD CONSTRAINT fk_held_account_id_accounts FOREIGN KEY (account_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.held
    ADD CONSTRAINT fk_held_run_id_runs FOREIGN KEY (run_id) REFERENCES public.runs(id);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT fk_results_account_id_accounts FOREIGN KEY (account_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT fk_results_run_id_runs FOREIGN KEY (run_id) REFERENCES public.runs(id);
ALTER TABLE ONLY public.run_accounts
    ADD CONSTRAINT fk_run_accounts_account_id_accounts FOREIGN KEY (account_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.run_accounts
    ADD CONSTRAINT fk_run_accounts_run_id_runs FOREIGN KEY (run_id) REFERENCES public.runs(id);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT fk_runs_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.schedules
    ADD CONSTRAINT fk_schedules_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.usage_collectors
    ADD CONSTRAINT fk_usage_collectors_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.usage_costs
    ADD CONSTRAINT fk_usage_costs_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.usage_day_costs
    ADD CONSTRAINT fk_usage_day_costs_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.usage_day_latencies
    ADD CONSTRAINT fk_usage_day_latencies_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.usage_day_pairs
    ADD CONSTRAINT fk_usage_day_pairs_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.usage_days
    ADD CONSTRAINT fk_usage_days_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.usage_dead_letters
    ADD CONSTRAINT fk_usage_dead_letters_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.usage_events
    ADD CONSTRAINT fk_usage_events_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.usage_gaps
    ADD CONSTRAINT fk_usage_gaps_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.usage_hours
    ADD CONSTRAINT fk_usage_hours_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.usage_latencies
    ADD CONSTRAINT fk_usage_latencies_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.usage_paired_days
    ADD CONSTRAINT fk_usage_paired_days_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.usage_reratings
    ADD CONSTRAINT fk_usage_reratings_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.usage_summed_days
    ADD CONSTRAINT fk_usage_summed_days_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
ALTER TABLE ONLY public.warnings
    ADD CONSTRAINT fk_warnings_pool_id_pools FOREIGN KEY (pool_id) REFERENCES public.pools(id);
