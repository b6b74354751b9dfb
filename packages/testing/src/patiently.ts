/** Comes again as long as it is told to: so many questions at once can be more than a busy machine answers in time. */
export async function patiently<A extends { status: number }>(ask: () => Promise<A>): Promise<A> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) return answer
  }
}
