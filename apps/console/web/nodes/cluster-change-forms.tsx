import { Button, Group, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CatalogueService } from '@trestle/contracts/nodes/catalogue'
import type { Cluster } from '@trestle/contracts/nodes/clusters'
import { type FormEvent, useReducer, useState } from 'react'
import { useNavigate } from 'react-router'
import { Loaded } from '../parts/loaded.js'
import { Panel } from '../parts/panel.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { platformClient } from '../platform/client.js'
import { clustersTexts, nodesTexts } from '../texts/nodes.js'
import {
  type ClusterChangeForm,
  canChangeCluster,
  canRename,
  clusterChangeBody,
  clusterChangeForm,
  reduceClusterChange,
} from './cluster-change-form.js'
import { mebibytes } from './services.js'
import { useServices } from './use-nodes.js'
import { isAlias, isCapacity } from './workload-form.js'

/** Service, number of nodes and name: only clusters can change these. */
export function ClusterChangeForms({ cluster }: { cluster: Cluster }) {
  return (
    <>
      <Panel title={clustersTexts.changeTitle} text={clustersTexts.changeText}>
        <ServiceAndSize key={`${cluster.service}${cluster.capacity}`} cluster={cluster} />
      </Panel>
      <Panel title={clustersTexts.alias} text={clustersTexts.aliasText}>
        <Alias cluster={cluster} />
      </Panel>
    </>
  )
}

function ServiceAndSize({ cluster }: { cluster: Cluster }) {
  const services = useServices('cluster')
  const [form, dispatch] = useReducer(reduceClusterChange, cluster, clusterChangeForm)
  const changing = useChange(cluster, form)
  function submit(event: FormEvent) {
    event.preventDefault()
    changing.mutate()
  }
  return (
    <Loaded query={services} rows={1}>
      {(all) => (
        <form onSubmit={submit}>
          <Stack gap="sm" align="flex-start">
            <Group align="flex-start">
              <NativeSelect
                label={clustersTexts.service}
                data={serviceChoices(all, cluster)}
                value={form.serviceId}
                onChange={(event) => dispatch({ type: 'changed', field: 'serviceId', value: event.currentTarget.value })}
              />
              <NumberInput
                label={clustersTexts.capacity}
                min={2}
                max={10}
                allowDecimal={false}
                value={form.capacity}
                onChange={(value) => dispatch({ type: 'changed', field: 'capacity', value })}
                error={!isCapacity(Number(form.capacity)) && nodesTexts.wizard.capacityText}
                w={160}
              />
            </Group>
            {changing.error && <ProblemNotice error={changing.error} />}
            <Button type="submit" loading={changing.isPending} disabled={!canChangeCluster(form, cluster)}>
              {clustersTexts.apply}
            </Button>
          </Stack>
        </form>
      )}
    </Loaded>
  )
}

function useChange(cluster: Cluster, form: ClusterChangeForm) {
  const { id } = cluster
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => platformClient.nodes.clusters.change({ params: { id }, body: clusterChangeBody(form, cluster) }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['nodes', 'cluster'] })
      // That page shows the progress.
      await navigate(`/app/clusters/${id}`)
    },
  })
}

function serviceChoices(services: readonly CatalogueService[], { chain, network, service }: Cluster) {
  return services
    .filter((each) => each.chain === chain && each.network === network)
    .map(({ id, metadata, missing, disabled }) => ({
      value: id,
      label: `${metadata.software}, ${nodesTexts.sizes[metadata.performance].toLowerCase()} (${mebibytes(metadata.memoryMiB)})`,
      disabled: id !== service && (missing !== null || disabled),
    }))
}

function Alias({ cluster: { id, alias } }: { cluster: Cluster }) {
  const client = useQueryClient()
  const [text, setText] = useState(alias ?? '')
  const naming = useMutation({
    mutationFn: () => platformClient.nodes.clusters.setAlias({ params: { id }, body: { alias: text || null } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['nodes', 'cluster'] })
      notifications.show({ message: nodesTexts.settings.saved })
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    naming.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" align="flex-start">
        <TextInput
          aria-label={clustersTexts.alias}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={!isAlias(text) && clustersTexts.aliasText}
          w={{ base: '100%', xs: 320 }}
        />
        {naming.error && <ProblemNotice error={naming.error} />}
        <Button type="submit" loading={naming.isPending} disabled={!canRename(text, alias)}>
          {nodesTexts.settings.save}
        </Button>
      </Stack>
    </form>
  )
}
