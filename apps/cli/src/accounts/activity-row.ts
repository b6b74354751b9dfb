import type { Activity } from '@trestle/contracts/activity'

/** What people want to know of a record. */
export function rowOf({ service, input, output, createdAt }: Activity) {
  const request = [input.method, input.route].filter((part) => typeof part === 'string').join(' ')
  return { time: createdAt, service, request, status: output.httpStatusCode, bytesOut: output.bytesOut }
}

/** Those that nobody was told of, oldest first; from now on they are known. Reading events is no news. */
export function newActivities(found: readonly Activity[], seen: Set<string>): Activity[] {
  const fresh = found.filter(({ id, service, input }) => !seen.has(id) && !(service === 'accounts' && input.route === '/users/me/events'))
  for (const { id } of fresh) seen.add(id)
  return fresh.sort((a, b) => a.createdAt.localeCompare(b.createdAt))
}
