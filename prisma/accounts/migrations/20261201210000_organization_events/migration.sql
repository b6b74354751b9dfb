-- In whose name it was done; null where somebody acted for themself, and of records from before.
ALTER TABLE event ADD COLUMN organization_id text;
CREATE INDEX event_organization ON event (organization_id, created_at DESC, id DESC) WHERE organization_id IS NOT NULL;
-- What changed something is looked for among very many reads and calls.
CREATE INDEX event_organization_change ON event (organization_id, created_at DESC, id DESC)
  WHERE organization_id IS NOT NULL AND input ->> 'method' NOT IN ('GET', 'HEAD') AND service_data ? 'actor';
