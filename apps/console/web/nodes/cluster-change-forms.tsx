import { Group, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CatalogueService } from '@trestle/contracts/nodes/catalogue'
import type { Cluster } from '@trestle/contracts/nodes/clusters'
import { useReducer } from 'react'
import { useNavigate } from 'react-router'
import { changeField, textField } from '../parts/form.js'
import { Loaded } from '../parts/loaded.js'
import { Panel } from '../parts/panel.js'
import { SubmitForm } from '../parts/submit-form.js'
import { platformClient } from '../platform/client.js'
import { clustersTexts, nodesTexts } from '../texts/nodes.js'
import {
  type AliasForm,
  aliasBody,
  aliasForm,
  type ClusterChangeForm,
  canChangeCluster,
  canRename,
  clusterChangeBody,
  clusterChangeForm,
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
  const [form, dispatch] = useReducer(changeField<ClusterChangeForm>, cluster, clusterChangeForm)
  const changing = useChange(cluster, form)
  return (
    <Loaded query={services} rows={1}>
      {(all) => (
        <SubmitForm
          action={clustersTexts.apply}
          submission={changing}
          problem={changing.error}
          disabled={!canChangeCluster(form, cluster)}
          gap="sm"
        >
          <Group align="flex-start">
            <NativeSelect {...textField(form, dispatch, 'serviceId')} label={clustersTexts.service} data={serviceChoices(all, cluster)} />
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
        </SubmitForm>
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

function Alias({ cluster }: { cluster: Cluster }) {
  const client = useQueryClient()
  const [form, dispatch] = useReducer(changeField<AliasForm>, cluster, aliasForm)
  const naming = useMutation({
    mutationFn: () => platformClient.nodes.clusters.setAlias({ params: { id: cluster.id }, body: aliasBody(form) }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['nodes', 'cluster'] })
      notifications.show({ message: nodesTexts.settings.saved })
    },
  })
  return (
    <SubmitForm action={nodesTexts.settings.save} submission={naming} problem={naming.error} disabled={!canRename(form, cluster)} gap="sm">
      <TextInput
        {...textField(form, dispatch, 'alias')}
        aria-label={clustersTexts.alias}
        error={!isAlias(form.alias) && clustersTexts.aliasText}
        w={{ base: '100%', xs: 320 }}
      />
    </SubmitForm>
  )
}
