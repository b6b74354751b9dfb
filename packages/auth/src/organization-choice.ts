import type { IncomingMessage } from 'node:http'
import { OrganizationId } from '@trestle/contracts/accounts/organizations'
import { unknownOrganization } from './auth-problems.js'

const PARAMETER = 'organization='

/** The organization that a request names, in the header `Trestle-Organization` or as `?organization=` for pages and streams that cannot set one. */
export function chosenOrganization({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): string | undefined {
  const chosen = headers['trestle-organization'] ?? (url.includes(PARAMETER) ? inQuery(url) : undefined)
  if (chosen === undefined) return undefined
  const { success, data } = OrganizationId.safeParse(chosen)
  if (!success) throw unknownOrganization()
  return data
}

function inQuery(url: string): string | undefined {
  return new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('organization') ?? undefined
}
