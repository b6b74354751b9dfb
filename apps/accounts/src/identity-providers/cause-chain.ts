/** The messages of an error and its causes: what an operator needs, and nothing of what the provider sent, which may contain tokens. */
export function causeChain(error: unknown): string {
  const reasons: string[] = []
  for (let each = error; each instanceof Error && reasons.length < 4; each = each.cause) reasons.push(each.message.slice(0, 200))
  return reasons.join(': ')
}
