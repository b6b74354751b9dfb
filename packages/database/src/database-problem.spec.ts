import { Problem } from '@trestle/problem/problem'
import { databaseProblem, markLostConnection } from './database-problem.js'

describe(databaseProblem, () => {
  it.each([
    ['an administrator ends the connection', { code: '57P01' }],
    ['Postgres starts up', { code: '57P03' }],
    ['all its connections are taken', { code: '53300' }],
    ['the protocol breaks', { code: '08P01' }],
    ['a statement takes too long', { code: '57014' }],
    ['it became a standby', { code: '25006' }],
    ['pg waits in vain for an answer', { message: 'Query read timeout' }],
    ['pg is asked through a dead connection', { message: 'Client has encountered a connection error and is not queryable' }],
    ['Prisma cannot connect', prismaError('P1001', { kind: 'DatabaseNotReachable' })],
    ['Prisma loses the connection in raw SQL', prismaError('P2010', { kind: 'ConnectionClosed' })],
    ["Prisma's raw SQL is ended by the server", prismaError('P2010', { originalCode: '57P01', kind: 'postgres' })],
    ['Prisma gets no connection for a transaction', { code: 'P2028' }],
    ["Prisma's COMMIT loses the connection", adapterError({ kind: 'ConnectionClosed' })],
    ["Prisma's COMMIT is ended by the server", adapterError({ originalCode: '57P01', kind: 'postgres' })],
  ])('is a Problem when %s', (_, error) => {
    expect(databaseProblem(error)).toMatchObject({
      code: 'DatabaseUnavailable',
      status: 503,
      headers: { 'retry-after': '1' },
      cause: error,
    })
  })

  it('distinguishes a lost connection to Postgres from one to another server', () => {
    const [ours, theirs] = [Object.assign(new Error(), { code: 'ECONNRESET' }), Object.assign(new Error(), { code: 'ECONNRESET' })]
    markLostConnection(ours)
    expect(databaseProblem(ours)).toMatchObject({ code: 'DatabaseUnavailable' })
    expect(databaseProblem(theirs)).toBeUndefined()
  })

  it('returns a Problem that was made before', () => {
    const problem = databaseProblem({ code: '57P01' })
    expect(databaseProblem(problem)).toBe(problem)
  })

  it.each([
    ['a unique violation', { code: '23505' }],
    ["Prisma's unique violation", prismaError('P2002', { originalCode: '23505', kind: 'UniqueConstraintViolation' })],
    ["Prisma's COMMIT that a deferred constraint refuses", adapterError({ originalCode: '23503', kind: 'ForeignKeyConstraintViolation' })],
    ['another problem', new Problem('unavailable', 'ServiceUnreachable', 'Away.')],
    ['an error without a code', new Error('no')],
    ['a string', '57P01'],
    ['nothing', undefined],
  ])('is undefined for %s', (_, error) => {
    expect(databaseProblem(error)).toBeUndefined()
  })
})

function prismaError(code: string, cause: object) {
  return { code, message: 'Invalid invocation', meta: { driverAdapterError: adapterError(cause) } }
}

function adapterError(cause: object) {
  return new Error('of the adapter', { cause })
}
