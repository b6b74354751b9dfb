import { changeField } from '../parts/form.js'
import { aliasBody, aliasForm, canChangeCluster, canRename, clusterChangeBody, clusterChangeForm } from './cluster-change-form.js'

const CLUSTER = { service: 'service-1', capacity: 3, updatingService: null }

describe(clusterChangeForm, () => {
  it('begins with the cluster as it is', () => {
    expect(clusterChangeForm(CLUSTER)).toEqual({ serviceId: 'service-1', capacity: 3 })
  })

  it('shows the service that a change in progress leads to', () => {
    expect(clusterChangeForm({ ...CLUSTER, updatingService: 'service-2' }).serviceId).toBe('service-2')
  })
})

describe(clusterChangeBody, () => {
  it.each([
    [{}, {}],
    [{ capacity: 5 }, { capacity: 5 }],
    [{ capacity: '5' }, { capacity: 5 }],
    [{ serviceId: 'service-2' }, { serviceId: 'service-2' }],
    [
      { serviceId: 'service-2', capacity: 2 },
      { serviceId: 'service-2', capacity: 2 },
    ],
  ])('sends only what differs: %j', (change, body) => {
    expect(clusterChangeBody({ ...clusterChangeForm(CLUSTER), ...change }, CLUSTER)).toEqual(body)
  })
})

describe(canChangeCluster, () => {
  it.each([
    [{}, false],
    [{ capacity: 2 }, true],
    [{ capacity: 10 }, true],
    [{ capacity: 1 }, false],
    [{ capacity: 11 }, false],
    [{ capacity: 2.5 }, false],
    [{ capacity: '' }, false],
    [{ serviceId: 'service-2' }, true],
    [{ serviceId: 'service-2', capacity: 11 }, false],
  ])('with %j is %s', (change, expected) => {
    expect(canChangeCluster({ ...clusterChangeForm(CLUSTER), ...change }, CLUSTER)).toBe(expected)
  })

  it('is false again when a change is taken back', () => {
    const changed = changeField(clusterChangeForm(CLUSTER), { type: 'changed', field: 'capacity', value: 5 })
    const back = changeField(changed, { type: 'changed', field: 'capacity', value: 3 })
    expect([changed, back].map((form) => canChangeCluster(form, CLUSTER))).toEqual([true, false])
  })
})

describe(canRename, () => {
  it.each([
    ['main', null, true],
    ['main', 'main', false],
    ['', 'main', true],
    ['', null, false],
    ['Main', null, false],
    ['-a', null, false],
    ['a-', null, false],
    ['a'.repeat(63), null, true],
    ['a'.repeat(64), null, false],
  ])('to %j from %j is %s', (alias, current, expected) => {
    expect(canRename({ alias }, { alias: current })).toBe(expected)
  })
})

describe(aliasForm, () => {
  it.each([null, 'main'])('sends %j back as it came', (alias) => {
    expect(aliasBody(aliasForm({ alias }))).toEqual({ alias })
  })

  it('removes the alias when its field is empty', () => {
    expect(aliasBody(changeField(aliasForm({ alias: 'main' }), { type: 'changed', field: 'alias', value: '' }))).toEqual({ alias: null })
  })
})
