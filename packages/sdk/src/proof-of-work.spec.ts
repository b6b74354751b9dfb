import { hash } from 'node:crypto'
import { answering, answeringInTurn, bodyOf, serving } from '../test/serving.js'
import { solve } from './proof-of-work.js'

const CHALLENGE = { challenge: '12.34.nonce.mac', difficulty: 12, algorithm: 'SHA-256', expiresAt: '2026-01-01T00:00:00.000Z' } as const
const BODY = {
  email: 'ada@example.org',
  displayName: 'Ada',
  password: 'correct horse battery staple',
  billingAddress: { country: 'CH', zipCode: '8001', address: 'Bahnhofstrasse 1', state: 'ZH' },
}
const refusal = (difficulty: number) =>
  answering({ code: 'ProofOfWorkRequired', detail: 'Compute.', proofOfWork: { ...CHALLENGE, difficulty } }, 403)
const signedUp = answering({ email: BODY.email, status: 'verificationSent' }, 201)

describe('a proof of work', () => {
  it('begins with as many zero bits as asked for', async () => {
    const proof = await solve(CHALLENGE)
    expect(proof.startsWith(`${CHALLENGE.challenge}.`)).toBe(true)
    expect(hash('sha256', proof)).toMatch(/^000/)
  })

  it('is computed and sent with the same request, without the caller doing anything', async () => {
    const bodies: Promise<string>[] = []
    const answers = [refusal(8), signedUp] as const
    const { trestle } = await serving((request, response) => {
      bodies.push(bodyOf(request))
      answers[bodies.length - 1]?.(request, response)
    })
    expect(await trestle.accounts.users.register({ body: BODY })).toMatchObject({ status: 'verificationSent' })
    const [first, second] = (await Promise.all(bodies)).map((body) => JSON.parse(body))
    expect(first).toEqual(BODY)
    expect(second).toEqual({ ...BODY, proofOfWork: expect.stringMatching(/^12\.34\.nonce\.mac\.\d+$/) })
    expect(hash('sha256', second.proofOfWork)).toMatch(/^00/)
  })

  it('is computed three times at most', async () => {
    const { trestle, seen } = await serving(refusal(1))
    await expect(trestle.accounts.users.register({ body: BODY })).rejects.toMatchObject({ status: 403, code: 'ProofOfWorkRequired' })
    expect(seen).toHaveLength(4)
  })

  it('takes its own time, beyond that of a call, and reports how far it is', async () => {
    const { trestle } = await serving(answeringInTurn(refusal(17), signedUp), { timeoutMs: 60 })
    const shares: number[] = []
    await trestle.accounts.users.register({ body: BODY, onProof: (share) => shares.push(share) }).catch((error: unknown) => {
      // A machine under load may miss the time limit of the request itself.
      expect(error).toMatchObject({ code: 'Timeout' })
    })
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true)
  })

  it('is given up with its call', async () => {
    const { trestle } = await serving(refusal(26))
    const signal = AbortSignal.timeout(100)
    await expect(trestle.accounts.users.register({ body: BODY, signal })).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('that would take for ever is not begun', async () => {
    const { trestle, seen } = await serving(refusal(200))
    await expect(trestle.accounts.users.register({ body: BODY })).rejects.toMatchObject({ code: 'ProofOfWorkRequired' })
    expect(seen).toHaveLength(1)
  })

  it('lets timers run meanwhile', async () => {
    const ending = new AbortController()
    let ticks = 0
    const timer = setInterval(() => ++ticks === 5 && ending.abort(), 5)
    await expect(solve({ ...CHALLENGE, difficulty: 26 }, { signal: ending.signal })).rejects.toMatchObject({ name: 'AbortError' })
    clearInterval(timer)
    expect(ticks).toBeGreaterThanOrEqual(5)
  })
})
