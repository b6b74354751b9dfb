import { EventEmitter, once } from 'node:events'
import type { Lease } from '@trestle/database/lease'
import type { Broadcasts } from '@trestle/messaging/broadcasts'
import { Jobs } from '@trestle/runtime/jobs'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { stub } from '../../test/stub.js'
import { LifecycleJob } from './lifecycle.job.js'
import type { LifecycleService } from './lifecycle.service.js'

const HOUR_MS = 3_600_000

describe(LifecycleJob, () => {
  it('runs a pass when it has the lease and another after each change, and releases the lease when it stops', async () => {
    const passes = new EventEmitter()
    const lease = fakeLease()
    const service = { begin: async () => lease, pass: async () => void passes.emit('pass') }
    const { job, notify, lifecycle } = jobOf(service)
    const first = once(passes, 'pass')
    job.onApplicationBootstrap()
    await first
    const second = once(passes, 'pass')
    notify()
    await second
    await lifecycle.run('drain')
    expect(lease.signal.aborted).toBe(true)
  })

  it('acquires the lease again after losing it', async () => {
    const begun = new EventEmitter()
    const leases = [fakeLease(), fakeLease()]
    const all = [...leases]
    const service = {
      begin: async () => {
        begun.emit('begin')
        return leases.shift() ?? fakeLease()
      },
      pass: async () => {},
    }
    const { job, lifecycle } = jobOf(service)
    const first = once(begun, 'begin')
    job.onApplicationBootstrap()
    await first
    const second = once(begun, 'begin')
    await all[0]!.release()
    await second
    await lifecycle.run('drain')
    expect(all[1]!.signal.aborted).toBe(true)
  })
})

function jobOf(service: Pick<LifecycleService, 'begin' | 'pass'>) {
  const logger = createLogger('test', 'silent')
  const lifecycle = new Lifecycle(logger)
  let notify = () => {}
  const subscribe: Broadcasts['subscribe'] = (_, listener) => {
    notify = listener as () => void
  }
  const env = { RECONCILE_MS: HOUR_MS }
  const job = new LifecycleJob(
    stub<LifecycleService>(service),
    stub<Broadcasts>({ subscribe }),
    new Jobs(lifecycle, logger, new Metrics()),
    env,
  )
  return { job, notify: () => notify(), lifecycle }
}

function fakeLease() {
  const ended = new AbortController()
  return stub<Lease>({ signal: ended.signal, release: async () => ended.abort() })
}
