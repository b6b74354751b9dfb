import { hash, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { retryWhileBusy } from '@trestle/testing/retry-while-busy'
import { FLOOD_GAUGE } from '../src/proof-of-work/difficulty.js'
import { ThrottlingService } from '../src/throttling/throttling.service.js'
import { type AccountsUnderTest, accountsClient, type HttpReply, startTestAccounts } from './accounts.js'

const MINUTE_MS = 60_000
const newAddress = () => `${randomUUID()}@example.org`

describe('with a proof of work required, a sign-up', () => {
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    accounts = await startTestAccounts({ REGISTRATION_PROOF_OF_WORK: 'on', BUDGET_FACTOR: '1', TRUSTED_PROXIES: '127.0.0.1' })
  })
  afterEach(() => accounts.setClockAhead(0))
  afterAll(() => accounts.stop())

  const signUp = (email: string, proofOfWork?: string, more: object = {}) => accounts.register(email, { proofOfWork, ...more })
  const challengeFor = async (email: string) => (await signUp(email)).body.proofOfWork

  it('says how to compute it, in words and for programs; then it succeeds once', async () => {
    const email = newAddress()
    const { status, headers, body } = await signUp(email)
    expect([status, headers.get('content-type')]).toEqual([403, 'application/problem+json; charset=utf-8'])
    const { challenge, difficulty } = body.proofOfWork
    expect(body).toMatchObject({ code: 'ProofOfWorkRequired', title: 'Forbidden', proofOfWork: { algorithm: 'SHA-256', difficulty: 17 } })
    expect(body.detail).toContain(`the SHA-256 of "${challenge}.n"`)
    expect(body.detail).toContain(`begins with ${difficulty} zero bits`)
    expect(body.detail).toContain(`"proofOfWork": "${challenge}.n"`)
    expect(body.detail).toContain(body.proofOfWork.expiresAt)
    const proof = solved(challenge, difficulty)
    expect((await signUp(email, proof)).status).toBe(201)
    await accounts.mailed(email)
    expect(refusal(await signUp(email, proof))).toEqual([403, 'ProofOfWorkRequired', 'The proof was used before.'])
  })

  it('succeeds once with a proof, however many send it at the same time, to several replicas', async () => {
    const replica = await accounts.replica()
    const other = accountsClient(replica)
    const email = newAddress()
    const proofOfWork = solvedOf(await challengeFor(email))
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? accounts : other).register(email, { proofOfWork })),
    )
    await replica.stop()
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(403)])
  })

  it('is refused with the proof of another address, but not of another spelling', async () => {
    const email = newAddress()
    const proof = solvedOf(await challengeFor(email))
    expect(refusal(await signUp(newAddress(), proof))[2]).toBe('The proof is of no challenge for this e-mail address.')
    expect((await signUp(email.toUpperCase(), proof)).status).toBe(201)
  })

  it('is refused once the challenge has expired', async () => {
    const email = newAddress()
    const proof = solvedOf(await challengeFor(email))
    accounts.setClockAhead(10 * MINUTE_MS)
    expect(refusal(await signUp(email, proof))[2]).toBe('The challenge has expired.')
    accounts.setClockAhead(9 * MINUTE_MS)
    expect((await signUp(email, proof)).status).toBe(201)
  })

  it('is refused with a challenge that was made easier, prolonged or made up, and with a wrong number', async () => {
    const email = newAddress()
    const { challenge } = await challengeFor(email)
    const [difficulty, expiresAt, nonce, mac] = challenge.split('.')
    const ofNone = 'The proof is of no challenge for this e-mail address.'
    for (const [proof, reason] of [
      [`1.${expiresAt}.${nonce}.${mac}.1`, ofNone],
      [`${difficulty}.${expiresAt + 1}.${nonce}.${mac}.1`, ofNone],
      [`${difficulty}.${expiresAt}.${'A'.repeat(22)}.${mac}.1`, ofNone],
      [`${difficulty}.${expiresAt}.${nonce}.${'A'.repeat(43)}.1`, ofNone],
      [`${challenge}.-1`, ofNone],
      [`${challenge}.1.1`, ofNone],
      ['', ofNone],
      [unsolved(challenge), 'The proof does not solve its challenge.'],
    ])
      expect([proof, ...refusal(await signUp(email, proof))]).toEqual([proof, 403, 'ProofOfWorkRequired', reason])
    expect((await signUp(email, 'x'.repeat(251))).body.code).toBe('InvalidInput')
  })

  it('that fails leaves the proof to be used again', async () => {
    const email = newAddress()
    const proofOfWork = solvedOf(await challengeFor(email))
    expect((await signUp(email, proofOfWork, { password: 'short' })).body.code).toBe('WeakPassword')
    const from = '198.51.100.7'
    const throttling = accounts.service.app.get(ThrottlingService, { strict: false })
    for (let time = 0; time < 20; time++) await throttling.spend({ signUpsFromNetwork: from })
    const body = { email, displayName: 'Ada', password: 'quiet otters ferry lanterns', billingAddress: BILLING_ADDRESS, proofOfWork }
    const over = await retryWhileBusy(() => accounts.call('POST', '/users', { from, body }))
    expect([over.status, over.body.code]).toEqual([429, 'TooManyRequests'])
    expect((await accounts.call('POST', '/users', { from: '198.51.100.8', body })).status).toBe(201)
  })

  it('takes more work in a flood, of every replica, and challenges from before are too easy', async () => {
    const email = newAddress()
    const early = await challengeFor(email)
    const throttling = accounts.service.app.get(ThrottlingService, { strict: false })
    const flood = [{ key: 'sign-ups', rule: FLOOD_GAUGE, lenient: true }]
    await Promise.all(Array.from({ length: 300 }, () => throttling.count(flood)))
    const replica = await accounts.replica()
    const { body } = await accountsClient(replica).register(newAddress())
    await replica.stop()
    expect(body.proofOfWork.difficulty).toBe(20)
    await forgetLevel()
    expect(refusal(await signUp(email, solvedOf(early)))[2]).toBe('Many sign up at the moment.')
    accounts.setClockAhead(60 * MINUTE_MS)
    await forgetLevel()
    expect((await challengeFor(email)).difficulty).toBe(17)
  })

  it('stores nothing for whoever only asks for challenges', async () => {
    const count = async () => (await accounts.sql.query('SELECT FROM attempt')).rowCount
    const before = await count()
    for (let time = 0; time < 10; time++) await challengeFor(newAddress())
    expect(await count()).toBe(before)
  })
})

describe('no proof of work', () => {
  it('is required by default', async () => {
    const accounts = await startTestAccounts()
    expect((await accounts.register(newAddress())).status).toBe(201)
    await accounts.stop()
  })

  it('is required of whoever needs an invitation', async () => {
    const accounts = await startTestAccounts({ REGISTRATION_PROOF_OF_WORK: 'on', REGISTRATION: 'invite' })
    expect((await accounts.register(newAddress())).body.code).toBe('InvalidInvitation')
    await accounts.stop()
  })
})

const BILLING_ADDRESS = { country: 'CH', zipCode: '8001', address: 'Bahnhofstrasse 1', state: 'ZH' }

function solvedOf({ challenge, difficulty }: { challenge: string; difficulty: number }): string {
  return solved(challenge, difficulty)
}

/** As a client does that knows the answer only. */
function solved(challenge: string, difficulty: number): string {
  for (let n = 0; ; n++) if (isSolution(`${challenge}.${n}`, difficulty)) return `${challenge}.${n}`
}

/** Each process reads once a second how many sign up. */
function forgetLevel(): Promise<void> {
  return delay(1100)
}

function unsolved(challenge: string): string {
  return isSolution(`${challenge}.1`, 17) ? `${challenge}.2` : `${challenge}.1`
}

function isSolution(proof: string, difficulty: number): boolean {
  const digest = hash('sha256', proof, 'buffer')
  return digest.readUInt32BE(0) >>> (32 - difficulty) === 0
}

function refusal({ status, body }: HttpReply): [number, string, string] {
  return [status, body.code, body.detail.split(' Find a whole number')[0]]
}
