import { randomUUID } from 'node:crypto'
import type { Activity } from '@trestle/contracts/activity'
import { type AccountsUnderTest, startTestAccounts, type TestUser } from './accounts.js'

let accounts: AccountsUnderTest
let administrator: TestUser
let user: TestUser
beforeAll(async () => {
  accounts = await startTestAccounts({ ADMINISTRATORS: 'root@example.org' })
  administrator = await accounts.createUser({ email: 'root@example.org' })
  user = await accounts.createUser()
})
afterAll(() => accounts.stop())

describe('an administrator', () => {
  it('sees what waits to be published', async () => {
    const { status, body } = await ask('GET', '/outbox')
    expect([status, body]).toEqual([200, { waiting: expect.any(Number), next: expect.any(Array) }])
  })

  it('processes a dead letter on request: the record is among the events of its user', async () => {
    const record = activityOf(user)
    const id = await givenUp(JSON.stringify({ activities: [record] }))
    expect((await ask('GET', '/dead-letters')).body).toEqual([
      {
        id,
        fact: 'shop.activity.recorded',
        consumer: 'accounts-events',
        content: expect.stringContaining(record.id),
        error: 'InternalError: poison',
        attempts: 20,
        givenUpAt: expect.stringMatching(/Z$/),
      },
    ])
    expect((await ask('POST', `/dead-letters/${id}/retry`)).status).toBe(204)
    expect((await ask('GET', '/dead-letters')).body).toEqual([])
    const { body: events } = await accounts.call('GET', '/users/me/events', { token: user.token })
    expect(events.map((event: { id: string }) => event.id)).toContain(record.id)
    expect(refusal(await ask('POST', `/dead-letters/${id}/retry`))).toEqual([404, 'UnknownDeadLetter'])
  })

  it('shows why it failed, and discards it', async () => {
    const id = await givenUp('{"activities":"none"}')
    expect(refusal(await ask('POST', `/dead-letters/${id}/retry`))).toEqual([409, 'GivenUpAgain'])
    expect((await ask('GET', '/dead-letters?limit=1')).body).toMatchObject([
      { id, attempts: 21, error: expect.stringMatching(/^InvalidMessage: .*activities: /) },
    ])
    expect((await ask('DELETE', `/dead-letters/${id}`)).status).toBe(204)
    expect(refusal(await ask('DELETE', `/dead-letters/${id}`))).toEqual([404, 'UnknownDeadLetter'])
  })

  it.each(['GET /dead-letters?limit=0', 'GET /dead-letters?limit=201', 'POST /dead-letters/x/retry', 'DELETE /dead-letters/%27'])(
    'is told what is wrong with %s',
    async (route) => {
      const [method = '', path = ''] = route.split(' ')
      expect(refusal(await ask(method, path))).toEqual([400, 'InvalidInput'])
    },
  )
})

const NONE = 'dddddddd-0000-4000-8000-000000000000'
it.each(['GET /outbox', 'GET /dead-letters', `POST /dead-letters/${NONE}/retry`, `DELETE /dead-letters/${NONE}`])(
  'nobody else may %s',
  async (route) => {
    const [method = '', path = ''] = route.split(' ')
    expect(refusal(await accounts.call(method, path, { token: user.token }))).toEqual([403, 'NotManager'])
    expect(refusal(await accounts.call(method, path))).toEqual([401, 'MissingToken'])
  },
)

function ask(method: string, path: string) {
  return accounts.call(method, path, { token: administrator.token })
}

function refusal({ status, body }: { status: number; body: { code: string } }) {
  return [status, body.code]
}

async function givenUp(body: string): Promise<string> {
  const { rows } = await accounts.sql.query(
    `INSERT INTO dead_letter (consumer, message_id, subject, body, error, attempts)
     VALUES ('accounts-events', $1, 'shop.activity.recorded', $2, 'InternalError: poison', 20) RETURNING id`,
    [randomUUID(), Buffer.from(body)],
  )
  return rows[0].id
}

function activityOf({ id: owner }: TestUser): Activity {
  const now = new Date().toISOString()
  return {
    id: `event-${randomUUID()}`,
    user: owner,
    service: 'shop',
    input: { method: 'GET', route: '/items' },
    output: { startTime: now, endTime: now, httpStatusCode: 200, bytesOut: 2 },
    serviceData: {},
    createdAt: now,
  }
}
