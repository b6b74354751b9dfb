-- The words of docs/glossary.md: what somebody has is a workload, made of machines; each has a desired and an observed state.
-- The release before reads and writes the old names through the views at the end, which a later release removes. `holding_alias` keeps its name
-- until then, for that release knows a taken alias by it.
ALTER TABLE holding RENAME TO workload;
ALTER TABLE workload RENAME COLUMN wanted TO desired_state;
ALTER TABLE workload RENAME COLUMN look_at TO reconcile_at;
ALTER INDEX holding_pkey RENAME TO workload_pkey;
ALTER INDEX holding_serial_key RENAME TO workload_serial;
ALTER INDEX holding_owner RENAME TO workload_owner;
ALTER INDEX holding_request RENAME TO workload_request;
ALTER INDEX holding_port RENAME TO workload_port;
ALTER INDEX holding_look RENAME TO workload_reconcile;
ALTER SEQUENCE holding_serial_seq RENAME TO workload_serial_seq;

ALTER TABLE machine RENAME TO workload_machine;
ALTER TABLE workload_machine RENAME COLUMN holding_id TO workload_id;
ALTER TABLE workload_machine RENAME COLUMN wanted TO desired_state;
ALTER TABLE workload_machine RENAME COLUMN seen_at TO observed_at;
ALTER TABLE workload_machine RENAME CONSTRAINT machine_holding_id_fkey TO workload_machine_workload_id_fkey;
ALTER INDEX machine_pkey RENAME TO workload_machine_pkey;
ALTER INDEX machine_holding RENAME TO workload_machine_workload;

CREATE VIEW holding AS
  SELECT id, serial, kind, user_id, blueprint, next_blueprint, capacity, desired_state AS wanted, alias, auth_type, auth_user, sealed_password,
         credentials_digest, allowed_ips, port, created_at, updated_at, started_at, stopped_at, expires_at, removed_at, gone_at, request_key,
         request_hash, reconcile_at AS look_at, attempts
    FROM workload;

CREATE VIEW machine AS
  SELECT id, workload_id AS holding_id, blueprint, desired_state AS wanted, draining_since, sealed_password, created_at, phase, conditions, host, port,
         instance, height, lag, progress, peers, disk_bytes, observed_at AS seen_at
    FROM workload_machine;
