import { rendered } from '../testing/rendered.js'
import { DeletedValidators, DeletedWorkloads } from './deleted-page.js'

const soon = () => new Date(Date.now() + 71.5 * 3600_000).toISOString()

describe(DeletedWorkloads, () => {
  const workloads = (kind: 'node' | 'cluster', ...rows: object[]) =>
    rendered(<DeletedWorkloads kind={kind} />, { answers: [[['nodes', kind, 'deleted'], rows]] })

  it('says what is left until a deleted node is gone, and can restore it or delete it for good', () => {
    const page = workloads('node', { id: 'node-1', chain: 'btc', network: 'regtest', purgeAt: soon() })
    expect(page.rows[1]?.[0]).toMatch(/^Bitcoin.*node-1/)
    expect(page.rows[1]?.[1]).toMatch(/^71 hours left/)
    expect([page.isEnabled('Restore node-1'), page.isEnabled('Delete for good')]).toEqual([true, true])
  })

  it('calls a cluster by its name', () => {
    const cluster = { id: 'cluster-1', name: 'explorers', chain: 'btc', network: 'regtest', purgeAt: soon() }
    expect(workloads('cluster', cluster).rows[1]?.[0]).toMatch(/^explorers/)
  })

  it('says that there is nothing', () => {
    expect(workloads('node').text).toBe('Nodes Nothing here.')
  })
})

describe(DeletedValidators, () => {
  const validators = (...rows: object[]) =>
    rendered(<DeletedValidators chain="hoodi" />, { answers: [[['staking', 'deleted', 'hoodi'], rows]] })

  it('says until when one can be restored: as long as it stakes, or for a time', () => {
    const page = validators({ id: 'hoodi:a', pubkey: 'a'.repeat(96) }, { id: 'hoodi:b', pubkey: 'b'.repeat(96), restorableUntil: soon() })
    expect(page.rows.slice(1).map(([, left]) => left?.slice(0, 20))).toEqual([
      'as long as it stakes',
      expect.stringMatching(/^71 hours left/),
    ])
    expect(page.isEnabled(`Restore 0x${'a'.repeat(96)}`)).toBe(true)
  })
})
