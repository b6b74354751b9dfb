import type { Activity } from '@trestle/contracts/activity'

/** An activity, for people. */
export function rowOf({ service, input, output, createdAt }: Activity) {
  const request = [input.method, input.route].filter((part) => typeof part === 'string').join(' ')
  return { time: createdAt, service, request, status: output.httpStatusCode, bytesOut: output.bytesOut }
}

/** The activities not yet seen, oldest first, and marks them as seen. Reading events is left out. */
export function newActivities(found: readonly Activity[], seen: Set<string>): Activity[] {
  const fresh = found.filter(({ id, service, input }) => !seen.has(id) && !(service === 'accounts' && input.route === '/users/me/events'))
  for (const { id } of fresh) seen.add(id)
  return fresh.sort((a, b) => a.createdAt.localeCompare(b.createdAt))
}
