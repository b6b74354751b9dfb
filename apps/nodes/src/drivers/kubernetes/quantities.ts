// https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/

const UNITS = ['Mi', 'Gi', 'Ti', 'Pi']
const FACTORS: Record<string, number> = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
}

/** In Kubernetes' canonical form, the largest unit without a fraction: `4Gi`, not `4096Mi`. Otherwise what it stores would look changed. */
export function quantityOfMiB(mib: number): string {
  if (!Number.isSafeInteger(mib) || mib <= 0) throw new Error(`${mib} MiB is not a valid size`)
  let [size, unit] = [mib, 0]
  while (size % 1024 === 0 && unit < UNITS.length - 1) [size, unit] = [size / 1024, unit + 1]
  return `${size}${UNITS[unit]}`
}

export function quantityOfCpus(cpus: number): string {
  const thousandths = Math.round(cpus * 1000)
  if (!Number.isSafeInteger(thousandths) || thousandths <= 0) throw new Error(`${cpus} is not a valid number of CPUs`)
  return thousandths % 1000 === 0 ? String(thousandths / 1000) : `${thousandths}m`
}

/** Undefined if it is not a size. */
export function bytesOfQuantity(quantity: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)([kMGTP]|[KMGTP]i)?$/.exec(quantity) ?? []
  const bytes = Math.ceil(Number(digits) * (FACTORS[unit] ?? Number.NaN))
  return Number.isSafeInteger(bytes) ? bytes : undefined
}
