import { Controller } from '@nestjs/common'
import { testNats } from '@trestle/testing/nats'
import { Client, Pool } from 'pg'
import { Consumes, type Delivery } from '../src/consumes.js'
import { addItems, itemAdded, startService, testDatabase, until } from './service.js'

@Controller()
class Counting {
  @Consumes(itemAdded, { durable: 'counting' })
  async count({ n }: { n: number }, { client }: Delivery) {
    await client.query('INSERT INTO effect (n) VALUES ($1)', [n])
    if (Math.random() < 0.02) throw new Error('flaky')
  }
}
it('chaos', async () => {
  const nats = await testNats()
  const database = await testDatabase()
  const a = await startService({ nats, database, controllers: [Counting] })
  const b = await startService({ nats, database, controllers: [Counting] })
  const pool = a.get(Pool)
  let n = 0
  let running = true
  const admin = new Client(database.adminUrl)
  await admin.connect()
  const adding = (async () => {
    while (running) {
      const from = n
      const numbers = Array.from({ length: 20 }, (_, i) => from + i)
      n += 20
      await addItems(Math.random() < 0.5 ? a : b, numbers).catch((e) => {
        lost.push(...numbers)
      })
      await new Promise((r) => setTimeout(r, 30))
    }
  })()
  const lost: number[] = []
  const log: string[] = []
  for (let round = 0; round < 14; round++) {
    await new Promise((r) => setTimeout(r, 300 + Math.random() * 700))
    const dice = Math.random()
    if (dice < 0.35) {
      log.push('wipe')
      await nats.wipe()
    } else if (dice < 0.65) {
      log.push('kill')
      await nats.kill()
      await new Promise((r) => setTimeout(r, 500))
      await nats.start()
    } else {
      log.push('pg')
      await admin.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      )
    }
  }
  running = false
  await adding
  const t = Date.now()
  const rows = async () =>
    (
      await pool.query(
        'SELECT (SELECT count(*)::int FROM outbox) o, (SELECT count(*)::int FROM effect) e, (SELECT count(DISTINCT n)::int FROM effect) d, (SELECT count(*)::int FROM outbox WHERE published_at IS NULL) u',
      )
    ).rows[0]
  let last: any
  await until(async () => {
    last = await rows().catch(() => last)
    if (Date.now() - t > 80000) return true
    return last.d === last.o && last.u === 0
  })
  console.log(log.join(' '), 'added', n, 'failed adds', lost.length, 'drained in', Date.now() - t, last)
  expect(last.e).toBe(last.d)
  expect(last.d).toBe(last.o)
  await admin.end()
  await Promise.all([a.stop(), b.stop()])
  await nats.stop()
  await database.drop()
}, 180000)
