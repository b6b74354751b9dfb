import { keyExpiresAt } from '../accounts/key-expiry.js'

export const MAX_QUOTA = 1_000_000

export interface QuotaForm {
  /** Text where the field holds no number. */
  readonly nodes: number | string
  readonly clusters: number | string
  /** `YYYY-MM-DD` */
  readonly until: string
}

export function quotaForm({ nodes, clusters }: { nodes: number; clusters: number }): QuotaForm {
  return { nodes, clusters, until: '' }
}

export function canSetQuota({ nodes, clusters, until }: QuotaForm): boolean {
  return [nodes, clusters].every(isQuota) && until !== ''
}

export function quotaBody({ nodes, clusters, until }: QuotaForm, now: Date) {
  return { nodes: Number(nodes), clusters: Number(clusters), expiresAt: keyExpiresAt('day', until, now) ?? '' }
}

function isQuota(value: number | string): boolean {
  return value !== '' && Number.isInteger(Number(value)) && Number(value) >= 0 && Number(value) <= MAX_QUOTA
}
