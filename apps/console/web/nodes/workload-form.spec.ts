import { NewCluster } from '@trestle/contracts/nodes/clusters'
import { NewNode } from '@trestle/contracts/nodes/nodes'
import { EMPTY_FORM, hasNoMistakes, isOpenToAll, workloadBody, workloadMistakes } from './workload-form.js'

const NOW = new Date('2026-11-22T00:00:00Z')
const FORM = { ...EMPTY_FORM, serviceId: 'service-272db82f-ee11-838c-8ab3-43f1674034f4', allowedIps: '10.0.0.0/8', alias: 'main' }

describe('The workload form', () => {
  it('become an order that the API takes', () => {
    const node = workloadBody('node', { ...FORM, ttl: '3600' }, NOW)
    expect(NewNode.parse(node)).toEqual({ serviceId: FORM.serviceId, authType: 'basic', ttl: 3600, allowedIps: ['10.0.0.0/8'] })
    const cluster = workloadBody('cluster', { ...FORM, authType: 'none', capacity: 3 }, NOW)
    expect(NewCluster.parse(cluster)).toMatchObject({ capacity: 3, alias: 'main', authType: 'none' })
  })

  it('leave the end to the plan unless a time is chosen, and the name to the platform', () => {
    expect(workloadBody('cluster', { ...FORM, alias: '' }, NOW)).toEqual({
      serviceId: FORM.serviceId,
      authType: 'basic',
      allowedIps: ['10.0.0.0/8'],
      capacity: 2,
    })
  })

  it('are told what is wrong with them', () => {
    expect(hasNoMistakes(workloadMistakes(FORM))).toBe(true)
    const faults = workloadMistakes({ ...FORM, allowedIps: 'home', alias: '-a', capacity: 11 })
    expect(faults).toEqual({ wrongAddresses: ['home'], wrongAlias: true, wrongCapacity: true })
    expect(hasNoMistakes(faults)).toBe(false)
  })

  it('are warned of where nobody is asked anything', () => {
    expect(isOpenToAll({ ...FORM, authType: 'none', allowedIps: ' ' })).toBe(true)
    expect(isOpenToAll({ ...FORM, authType: 'none' })).toBe(false)
    expect(isOpenToAll({ ...FORM, allowedIps: '' })).toBe(false)
  })
})
