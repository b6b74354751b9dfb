/**
 * How many workloads of a kind count against a plan: those of the organization if it was granted one, or else those that the user has created
 * in organizations without one. $1: organization, $2: user, $3: kind.
 */
export const COUNT_OWNED = `
  SELECT count(*)::int AS count FROM workload
  WHERE kind = $3 AND removed_at IS NULL AND CASE
    WHEN EXISTS (SELECT FROM organization_plan WHERE organization_id = $1) THEN organization_id = $1
    ELSE user_id = $2 AND NOT EXISTS (SELECT FROM organization_plan granted WHERE granted.organization_id = workload.organization_id)
  END`
