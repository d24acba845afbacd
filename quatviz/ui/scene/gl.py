"""The OpenGL functions and constants used for drawing, imported from PyOpenGL's raw modules.

`OpenGL.GL` wraps the functions of all versions and adds 0.1 s to every start; the raw modules take a quarter of that.
Import this module only after `gl_context.check_gl` has selected the platform, because PyOpenGL reads it once.
"""

from OpenGL.raw.GL.VERSION.GL_1_0 import (
    GL_BLEND,
    GL_COLOR_BUFFER_BIT,
    GL_CULL_FACE,
    GL_CW,
    GL_DEPTH_BUFFER_BIT,
    GL_DEPTH_TEST,
    GL_EQUAL,
    GL_FLOAT,
    GL_GREATER,
    GL_INCR,
    GL_KEEP,
    GL_LEQUAL,
    GL_LESS,
    GL_NEAREST,
    GL_ONE,
    GL_ONE_MINUS_SRC_ALPHA,
    GL_PACK_ROW_LENGTH,
    GL_RGBA,
    GL_SCISSOR_TEST,
    GL_SRC_ALPHA,
    GL_STENCIL_BUFFER_BIT,
    GL_STENCIL_TEST,
    GL_TRIANGLE_STRIP,
    GL_TRIANGLES,
    GL_UNSIGNED_BYTE,
    GL_UNSIGNED_INT,
    GL_ZERO,
    glClear,
    glColorMask,
    glDepthFunc,
    glDepthMask,
    glDisable,
    glEnable,
    glFlush,
    glFrontFace,
    glPixelStorei,
    glStencilFunc,
    glStencilOp,
    glViewport,
)
from OpenGL.raw.GL.VERSION.GL_1_1 import glDrawArrays
from OpenGL.raw.GL.VERSION.GL_1_4 import glBlendFuncSeparate
from OpenGL.raw.GL.VERSION.GL_1_5 import (
    GL_ARRAY_BUFFER,
    GL_ELEMENT_ARRAY_BUFFER,
    GL_STATIC_DRAW,
    GL_STREAM_DRAW,
    glBindBuffer,
)
from OpenGL.raw.GL.VERSION.GL_2_0 import (
    glDisableVertexAttribArray,
    glEnableVertexAttribArray,
    glUniform2f,
    glUniform3f,
    glUseProgram,
)
from OpenGL.raw.GL.VERSION.GL_3_0 import (
    GL_DRAW_FRAMEBUFFER,
    GL_FRAMEBUFFER,
    GL_READ_FRAMEBUFFER,
    glBindFramebuffer,
    glBlitFramebuffer,
)
