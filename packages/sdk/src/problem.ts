// biome-ignore lint/performance/noBarrelFile: the npm package has no other module that exports it
export { Problem } from '@trestle/problem/problem'
