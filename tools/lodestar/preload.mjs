// Comes before Lodestar in its processes and their threads.
import { register } from 'node:module'

register('./patches.mjs', import.meta.url)
