import { hash } from 'node:crypto'

const PREFIX_LENGTH = 5

/** What is asked about a password, and what its answer is searched for: one of about 800 that begin alike (k-anonymity). */
export function passwordRangeOf(password: string): { prefix: string; suffix: string } {
  const digest = hash('sha1', password, 'hex').toUpperCase()
  return { prefix: digest.slice(0, PREFIX_LENGTH), suffix: digest.slice(PREFIX_LENGTH) }
}

/** Whether lines of the form `<suffix>:<count>` have this suffix. A count of 0 is padding, which hides how long the answer is. */
export function isListed(lines: string, suffix: string): boolean {
  return lines.split(/\r?\n/).some((line) => {
    const [listed = '', count = ''] = line.split(':')
    return listed.trim().toUpperCase() === suffix && /^[1-9]\d*$/.test(count.trim())
  })
}
