import fc from 'fast-check'
import { bytesOfQuantity, quantityOfCpus, quantityOfMiB } from './quantities.js'

describe(quantityOfMiB, () => {
  it.each([
    [256, '256Mi'],
    [4096, '4Gi'],
    [1229 * 1024, '1229Gi'],
    [2048 * 1024, '2Ti'],
  ])('writes %i MiB as Kubernetes does: %s', (mib, quantity) => {
    expect(quantityOfMiB(mib)).toBe(quantity)
  })

  it('keeps the value', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 2 ** 32 }), (mib) => bytesOfQuantity(quantityOfMiB(mib)) === mib * 2 ** 20))
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d', (mib) => {
    expect(() => quantityOfMiB(mib)).toThrow('is not a valid size')
  })
})

describe(quantityOfCpus, () => {
  it.each([
    [2, '2'],
    [0.5, '500m'],
    [1.25, '1250m'],
  ])('writes %d as %s', (cpus, quantity) => {
    expect(quantityOfCpus(cpus)).toBe(quantity)
  })

  it.each([0, -1, 0.0001, Number.NaN])('refuses %d', (cpus) => {
    expect(() => quantityOfCpus(cpus)).toThrow('is not a valid number of CPUs')
  })
})

describe(bytesOfQuantity, () => {
  it.each(['1e9Gi', '', 'Gi', '-1Gi', '1 Gi', '1gi', '9999999Pi', '0x10'])('does not accept %j', (quantity) => {
    expect(bytesOfQuantity(quantity)).toBeUndefined()
  })

  it('reads fractions and decimal units', () => {
    expect(bytesOfQuantity('1.5Gi')).toBe(1.5 * 2 ** 30)
    expect(bytesOfQuantity('100G')).toBe(1e11)
  })
})
