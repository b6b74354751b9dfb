import type { OrganizationEvent } from '@trestle/contracts/accounts/events'
import type { Activity } from '@trestle/contracts/activity'

/** An activity, for people. */
export function rowOf({ service, input, output, createdAt }: Activity) {
  const request = [input.method, input.route].filter((part) => typeof part === 'string').join(' ')
  return { time: createdAt, service, request, status: output.httpStatusCode, bytesOut: output.bytesOut }
}

/** Who did it, in a few words. */
export function authorOf({ by }: OrganizationEvent): string {
  if (!by) return '-'
  const name = by.email ?? by.displayName ?? 'deleted account'
  const notes = [by.clientKey && `key ${by.clientKey}`, by.former && by.displayName && 'left'].filter(Boolean)
  return notes.length > 0 ? `${name} (${notes.join(', ')})` : name
}

const LISTS = ['/users/me/events', '/organizations/{id}/events']

/** The activities not yet seen, oldest first, and marks them as seen. Reading events is left out. */
export function newActivities<E extends Activity>(found: readonly E[], seen: Set<string>): E[] {
  const fresh = found.filter(({ id, service, input }) => !seen.has(id) && !(service === 'accounts' && LISTS.includes(String(input.route))))
  for (const { id } of fresh) seen.add(id)
  return fresh.sort((a, b) => a.createdAt.localeCompare(b.createdAt))
}
