//! A software renderer for egui: draws triangles into an array of pixels.
//!
//! It is slow, but sufficient for the error message and for images in tests. Colours are blended in
//! their stored (gamma) encoding, as egui's own painters do.

use std::collections::HashMap;

use egui::epaint::{ClippedPrimitive, ImageData, Mesh, Primitive, Vertex};
use egui::{Color32, ColorImage, Rect, TextureId, TexturesDelta, Vec2, pos2};

/// The renderer, with its textures.
#[derive(Default)]
pub struct Raster {
    textures: HashMap<TextureId, ColorImage>,
}

impl Raster {
    /// Applies the changes of the textures, and empties `delta`.
    pub fn take(&mut self, delta: &mut TexturesDelta) {
        for (id, changes) in delta.set.drain() {
            for change in changes {
                let ImageData::Color(image) = &change.image;
                match (change.pos, self.textures.get_mut(&id)) {
                    (Some([x, y]), Some(whole)) => {
                        let (width, stride) = (image.size[0], whole.size[0]);
                        for (row, pixels) in image.pixels.chunks(width.max(1)).enumerate() {
                            let start = (y + row) * stride + x;
                            whole.pixels[start..start + width].copy_from_slice(pixels);
                        }
                    }
                    _ => {
                        self.textures.insert(id, image.as_ref().clone());
                    }
                }
            }
        }
        for id in delta.free.drain() {
            self.textures.remove(&id);
        }
    }

    /// Paints on `canvas`, which has `pixels_per_point` pixels per point.
    pub fn paint(
        &self,
        canvas: &mut ColorImage,
        primitives: &[ClippedPrimitive],
        pixels_per_point: f32,
    ) {
        for ClippedPrimitive { clip_rect, primitive } in primitives {
            let Primitive::Mesh(mesh) = primitive else { continue };
            let Some(texture) = self.textures.get(&mesh.texture_id) else { continue };
            let clip = Clip::new(*clip_rect * pixels_per_point, canvas.size);
            paint_mesh(canvas, mesh, texture, &clip, pixels_per_point);
        }
    }
}

/// The range of pixels that may be painted, from `from` (inclusive) to `to` (exclusive).
struct Clip {
    from: [usize; 2],
    to: [usize; 2],
}

impl Clip {
    fn new(rect: Rect, size: [usize; 2]) -> Self {
        let pixel = |x: f32, end: usize| (x.round().max(0.0) as usize).min(end);
        Self {
            from: [pixel(rect.min.x, size[0]), pixel(rect.min.y, size[1])],
            to: [pixel(rect.max.x, size[0]), pixel(rect.max.y, size[1])],
        }
    }
}

fn paint_mesh(
    canvas: &mut ColorImage,
    mesh: &Mesh,
    texture: &ColorImage,
    clip: &Clip,
    pixels_per_point: f32,
) {
    for corners in mesh.indices.chunks_exact(3) {
        let mut corners = [0, 1, 2].map(|i| mesh.vertices[corners[i] as usize]);
        for corner in &mut corners {
            corner.pos = (pixels_per_point * corner.pos.to_vec2()).to_pos2();
        }
        paint_triangle(canvas, corners, texture, clip);
    }
}

/// Twice the signed area of a triangle.
fn area(a: Vec2, b: Vec2, c: Vec2) -> f32 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

fn paint_triangle(
    canvas: &mut ColorImage,
    mut corners: [Vertex; 3],
    texture: &ColorImage,
    clip: &Clip,
) {
    let positions = |corners: &[Vertex; 3]| corners.map(|corner| corner.pos.to_vec2());
    let [a, b, c] = positions(&corners);
    if area(a, b, c) < 0.0 {
        corners.swap(1, 2);
    }
    let [a, b, c] = positions(&corners);
    let total = area(a, b, c);
    if total <= 0.0 || !total.is_finite() {
        return;
    }
    let lines = [(b, c), (c, a), (a, b)];
    // A pixel on a shared edge belongs to exactly one of the triangles.
    let owns = lines.map(|(from, to)| (from.y == to.y && from.x < to.x) || from.y > to.y);
    let bound = |x: [f32; 3], axis: usize| {
        let (low, high) = (x[0].min(x[1]).min(x[2]), x[0].max(x[1]).max(x[2]));
        let first = (low.floor().max(0.0) as usize).max(clip.from[axis]);
        (first, ((high.ceil().max(0.0)) as usize).min(clip.to[axis]))
    };
    let ((left, right), (top, bottom)) = (bound([a.x, b.x, c.x], 0), bound([a.y, b.y, c.y], 1));
    let is_flat = corners[1..]
        .iter()
        .all(|corner| corner.color == corners[0].color && corner.uv == corners[0].uv);
    let flat_colour = is_flat.then(|| {
        tinted(sample(texture, corners[0].uv), corners[0].color.to_array().map(f32::from))
    });
    for y in top..bottom {
        for x in left..right {
            let at = egui::vec2(x as f32 + 0.5, y as f32 + 0.5);
            let parts = lines.map(|(from, to)| area(from, to, at));
            if (0..3).any(|i| parts[i] < 0.0 || (parts[i] == 0.0 && !owns[i])) {
                continue;
            }
            let colour = flat_colour.unwrap_or_else(|| {
                let share = parts.map(|part| part / total);
                let uv = (0..3).fold(Vec2::ZERO, |sum, i| sum + share[i] * corners[i].uv.to_vec2());
                let tint = std::array::from_fn(|channel| {
                    (0..3).map(|i| share[i] * f32::from(corners[i].color.to_array()[channel])).sum()
                });
                tinted(sample(texture, pos2(uv.x, uv.y)), tint)
            });
            let pixel = &mut canvas.pixels[y * canvas.size[0] + x];
            *pixel = over(colour, *pixel);
        }
    }
}

/// The texture's colour at a position, 0…255 each, by bilinear interpolation.
fn sample(texture: &ColorImage, uv: egui::Pos2) -> [f32; 4] {
    let [width, height] = texture.size;
    let (x, y) = (uv.x * width as f32 - 0.5, uv.y * height as f32 - 0.5);
    let (left, top) = (x.floor(), y.floor());
    let (across, down) = (x - left, y - top);
    let at = |dx: f32, dy: f32| {
        let column = (left + dx).clamp(0.0, width as f32 - 1.0) as usize;
        let row = (top + dy).clamp(0.0, height as f32 - 1.0) as usize;
        texture.pixels[row * width + column].to_array().map(f32::from)
    };
    let corners = [at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0), at(1.0, 1.0)];
    std::array::from_fn(|i| {
        let upper = corners[0][i] + across * (corners[1][i] - corners[0][i]);
        let lower = corners[2][i] + across * (corners[3][i] - corners[2][i]);
        upper + down * (lower - upper)
    })
}

/// Multiplies a texture's colour by a vertex's.
fn tinted(texel: [f32; 4], tint: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|i| texel[i] * tint[i] / 255.0)
}

/// Blends a premultiplied colour over another.
fn over(colour: [f32; 4], below: Color32) -> Color32 {
    let rest = 1.0 - colour[3] / 255.0;
    let below = below.to_array();
    let [r, g, b, a] = std::array::from_fn(|i| {
        (colour[i] + rest * f32::from(below[i])).round().clamp(0.0, 255.0) as u8
    });
    Color32::from_rgba_premultiplied(r, g, b, a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Shape, Stroke};

    fn painted(draw: impl Fn(&egui::Painter)) -> ColorImage {
        let context = egui::Context::default();
        let input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), Vec2::splat(64.0))),
            ..Default::default()
        };
        let mut output = context.run_ui(input, |ui| draw(ui.painter()));
        let mut raster = Raster::default();
        raster.take(&mut output.textures_delta);
        let mut canvas = ColorImage::filled([64, 64], Color32::BLACK);
        raster.paint(&mut canvas, &context.tessellate(output.shapes, 1.0), 1.0);
        canvas
    }

    #[test]
    fn a_rectangle_covers_its_pixels_once_and_no_others() {
        let half = Color32::from_rgba_premultiplied(100, 0, 0, 128);
        let canvas = painted(|painter| {
            let rect = Rect::from_min_max(pos2(10.0, 12.0), pos2(40.0, 50.0));
            painter.add(Shape::rect_filled(rect, 0.0, half));
        });
        let red = |x: usize, y: usize| canvas.pixels[64 * y + x].r();
        // Edges are feathered over a pixel; the seam between the two triangles must be invisible.
        for y in 14..48 {
            for x in 12..38 {
                assert_eq!(red(x, y), 100, "{x} {y}");
            }
        }
        assert_eq!((red(8, 20), red(42, 20), red(20, 10), red(20, 52)), (0, 0, 0, 0));
    }

    #[test]
    fn text_is_painted() {
        let canvas = painted(|painter| {
            painter.text(
                pos2(32.0, 32.0),
                egui::Align2::CENTER_CENTER,
                "M",
                egui::FontId::proportional(40.0),
                Color32::WHITE,
            );
            painter.line_segment(
                [pos2(2.0, 60.0), pos2(62.0, 60.0)],
                Stroke::new(2.0, Color32::GREEN),
            );
        });
        let white = canvas.pixels.iter().filter(|pixel| pixel.r() > 200).count();
        assert!((100..1200).contains(&white), "{white}");
        assert!(canvas.pixels[64 * 60 + 30].g() > 200);
    }
}
