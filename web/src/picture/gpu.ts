import type { Reflection, Variable } from "shisa";
import type { Constant } from "./constants.ts";
import { levels, pattern } from "./pattern.ts";

/** What a picture on the GPU is drawn from. */
export interface Scene {
  readonly code: string;
  readonly reflection: Reflection;
  readonly constants: readonly (Constant & { readonly values: readonly number[] })[];
  readonly width: number;
  readonly height: number;
}

const FORMAT = "rgba8unorm";

/** WebGPU copies rows of a multiple of this size, in bytes. */
const ROW = 256;

/** Draws fragment programs with the browser's WebGPU. */
export class Gpu {
  readonly #device: GPUDevice;

  private constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** The device; undefined where the browser has none. */
  static async open(): Promise<Gpu | undefined> {
    const adapter = await navigator.gpu?.requestAdapter();
    const device = await adapter?.requestDevice();
    return device === undefined ? undefined : new Gpu(device);
  }

  /** The colours of target 0: red, green, blue and alpha of each pixel. Throws what the device reports. */
  async draw(scene: Scene): Promise<Uint8Array> {
    const device = this.#device;
    device.pushErrorScope("validation");
    try {
      const { width, height } = scene;
      const target = device.createTexture({ size: [width, height], format: FORMAT, usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC });
      const row = Math.ceil((width * 4) / ROW) * ROW;
      const buffer = device.createBuffer({ size: row * height, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
      const pipeline = this.#pipeline(scene);
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginRenderPass({
        colorAttachments: [{ view: target.createView(), loadOp: "clear", storeOp: "store", clearValue: [0, 0, 0, 0] }],
      });
      pass.setPipeline(pipeline);
      for (const [group, entries] of this.#bindings(scene)) {
        pass.setBindGroup(group, device.createBindGroup({ layout: pipeline.getBindGroupLayout(group), entries }));
      }
      pass.draw(3);
      pass.end();
      encoder.copyTextureToBuffer({ texture: target }, { buffer, bytesPerRow: row }, [width, height]);
      device.queue.submit([encoder.finish()]);
      const error = await device.popErrorScope();
      if (error !== null) throw new Error(error.message);
      await buffer.mapAsync(GPUMapMode.READ);
      const rows = new Uint8Array(buffer.getMappedRange());
      const result = new Uint8Array(width * height * 4);
      for (let y = 0; y < height; y++) result.set(rows.subarray(y * row, y * row + width * 4), y * width * 4);
      buffer.destroy();
      target.destroy();
      return result;
    } catch (error) {
      // An exception leaves the scope open.
      await device.popErrorScope().catch(() => null);
      throw error;
    }
  }

  #pipeline({ code, reflection }: Scene): GPURenderPipeline {
    const device = this.#device;
    return device.createRenderPipeline({
      layout: "auto",
      vertex: { module: device.createShaderModule({ code: vertexCode(reflection.inputs) }) },
      fragment: { module: device.createShaderModule({ code }), entryPoint: reflection.entry, targets: [{ format: FORMAT }] },
    });
  }

  /** The entries of each bind group. */
  #bindings({ reflection, constants }: Scene): Map<number, GPUBindGroupEntry[]> {
    const groups = new Map<number, GPUBindGroupEntry[]>();
    const add = (group: number, entry: GPUBindGroupEntry) => groups.set(group, [...(groups.get(group) ?? []), entry]);
    for (const { group, binding, size } of [...reflection.uniforms, ...reflection.memory.filter(({ kind }) => kind === "uniform")]) {
      const own = constants.filter((constant) => constant.group === group && constant.binding === binding);
      add(group, { binding, resource: { buffer: this.#uniforms(Number(size), own) } });
    }
    for (const { name, group, binding, dim, sampler_binding: sampler, sampling } of reflection.textures) {
      if (dim !== "2d") throw new Error(`${name} is a ${dim} texture; this page draws those of kind 2d on the GPU`);
      add(group, { binding, resource: this.#pattern().createView() });
      if (typeof sampler === "number") add(group, { binding: sampler, resource: this.#sampler(sampling as Sampling | null) });
    }
    return groups;
  }

  #uniforms(size: number, constants: Scene["constants"]): GPUBuffer {
    const bytes = new ArrayBuffer(size);
    const view = new DataView(bytes);
    for (const { offset, values } of constants) {
      for (const [index, value] of values.entries()) if (offset + index * 4 + 4 <= size) view.setFloat32(offset + index * 4, value, true);
    }
    const buffer = this.#device.createBuffer({ size, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
    this.#device.queue.writeBuffer(buffer, 0, bytes);
    return buffer;
  }

  #pattern(): GPUTexture {
    const all = levels(pattern());
    const { width, height } = pattern();
    const texture = this.#device.createTexture({
      size: [width, height], mipLevelCount: all.length, format: FORMAT, usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST,
    });
    for (const [mipLevel, image] of all.entries()) {
      this.#device.queue.writeTexture(
        { texture, mipLevel }, image.rgba as Uint8Array<ArrayBuffer>, { bytesPerRow: image.width * 4 }, [image.width, image.height]);
    }
    return texture;
  }

  #sampler(sampling: Sampling | null): GPUSampler {
    const filter = sampling?.filter === "nearest" ? "nearest" : "linear";
    const wrap = (index: number): GPUAddressMode => {
      const mode = sampling?.wrap?.[index];
      return mode === "clamp" ? "clamp-to-edge" : mode === "mirror" ? "mirror-repeat" : "repeat";
    };
    return this.#device.createSampler({
      magFilter: filter, minFilter: filter,
      mipmapFilter: sampling?.mip === "linear" ? "linear" : "nearest",
      lodMaxClamp: sampling?.mip === "none" ? 0 : 32,
      addressModeU: wrap(0), addressModeV: wrap(1),
    });
  }
}

interface Sampling {
  readonly filter?: string;
  readonly mip?: string;
  readonly wrap?: readonly string[];
}

/**
 * A vertex program for one triangle that covers the rectangle. Inputs are linear: the first component grows from 0 to 1 to
 * the right, the second one downwards, and the others are 0 and 1.
 */
export function vertexCode(inputs: readonly Variable[]): string {
  const varyings = inputs.filter(({ kind, location }) => kind === "location" && location !== null);
  const type = ({ components }: Variable) => (components === 1 ? "f32" : `vec${components}<f32>`);
  const value = ({ components, interpolation }: Variable) => {
    const whole = interpolation === "flat" ? "vec4<f32>(0.0, 0.0, 0.0, 1.0)" : "vec4<f32>(at, 0.0, 1.0)";
    return `${whole}.${"xyzw".slice(0, components)}`;
  };
  const attribute = ({ interpolation, sampling }: Variable) =>
    interpolation === "flat" ? " @interpolate(flat)"
      : interpolation === "linear" || sampling !== undefined
        ? ` @interpolate(${interpolation === "linear" ? "linear" : "perspective"}${sampling === undefined ? "" : `, ${sampling}`})`
        : "";
  return `struct Corner {
  @builtin(position) position: vec4<f32>,
${varyings.map((each) => `  @location(${each.location})${attribute(each)} input${each.location}: ${type(each)},`).join("\n")}
}

@vertex
fn corner(@builtin(vertex_index) index: u32) -> Corner {
  let at = vec2<f32>(f32(index & 1u), f32(index >> 1u)) * 2.0;
  var result: Corner;
  result.position = vec4<f32>(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0, 0.5, 1.0);
${varyings.map((each) => `  result.input${each.location} = ${value(each)};`).join("\n")}
  return result;
}
`;
}
