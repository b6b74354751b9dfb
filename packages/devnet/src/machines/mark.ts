/** What `apps/nodes` puts into the environment of every machine's process, with its folder as the value. */
export const MACHINE_MARK = 'TRESTLE_MACHINE'
